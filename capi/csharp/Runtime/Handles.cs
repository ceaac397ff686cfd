using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>
    /// A handle of the library. Handles are numbers that are never dereferenced, and no number is used twice: the library refuses the number
    /// of a disposed handle with a message.
    /// </summary>
    internal abstract class LibraryHandle : SafeHandle
    {
        /// <summary>Empty: created before the call that fills it, so that no handle of the library is lost.</summary>
        protected LibraryHandle() : base(IntPtr.Zero, true)
        {
        }

        /// <inheritdoc/>
        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        /// <summary>Owns the handle that a call has created.</summary>
        internal void Own(IntPtr given)
        {
            SetHandle(given);
        }
    }

    /// <summary>A handle during a call: a Dispose during the call destroys it after the call.</summary>
    internal struct Use : IDisposable
    {
        private readonly LibraryHandle used;

        /// <summary>The handle to pass to the library.</summary>
        internal readonly IntPtr Value;

        /// <summary>Null becomes the null handle, which the library refuses.</summary>
        internal Use(LibraryHandle handle)
        {
            used = null;
            Value = IntPtr.Zero;
            if (handle == null)
                return;
            bool entered = false;
            try
            {
                if (!handle.IsClosed)
                    handle.DangerousAddRef(ref entered);
            }
            catch (ObjectDisposedException)
            {
                // Disposed by another thread just now.
            }
            IntPtr number = handle.DangerousGetHandle();
            if (entered)
            {
                used = handle;
                Value = number;
            }
            else
            {
                // A closed handle is destroyed when the last call with it ends. Its own number would make it busy then, so that it would not
                // be destroyed: the library gets a number of the same kind that was never used.
                Value = new IntPtr((number.ToInt64() & 0xF) | ~0xFL);
            }
        }

        public void Dispose()
        {
            if (used != null)
                used.DangerousRelease();
        }
    }

    internal sealed class GameHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_game_destroy(handle) == Status.Ok;
        }
    }

    internal sealed class EnvHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_env_destroy(handle) == Status.Ok;
        }
    }

    internal sealed class AgentHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_agent_destroy(handle) == Status.Ok;
        }
    }

    internal sealed class SearchHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_search_destroy(handle) == Status.Ok;
        }
    }

    internal sealed class CancelHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_cancel_destroy(handle) == Status.Ok;
        }
    }

    /// <summary>A batch of environments and the arrays of its asynchronous step.</summary>
    internal sealed class VecEnvHandle : LibraryHandle
    {
        /// <summary>The arrays that are pinned until the step was waited for or the environment is destroyed.</summary>
        internal Pins Pending;

        protected override bool ReleaseHandle()
        {
            // Waits for a running step; only then may the arrays move.
            bool ended = NativeMethods.playmat_vec_env_destroy(handle) == Status.Ok;
            if (ended && Pending != null)
                Pending.Free();
            return ended;
        }
    }
}

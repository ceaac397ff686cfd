using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>
    /// A handle of the library. Handles are numbers that are never read through, and a number is never given out twice, so
    /// the number of a disposed one can be passed on: the library itself refuses it and says why.
    /// </summary>
    internal abstract class LibraryHandle : SafeHandle
    {
        /// <summary>Nothing yet: made before the call that fills it, so that a handle that the library gave is never lost.</summary>
        protected LibraryHandle() : base(IntPtr.Zero, true)
        {
        }

        /// <inheritdoc/>
        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        /// <summary>Takes what a call has given.</summary>
        internal void Own(IntPtr given)
        {
            SetHandle(given);
        }
    }

    /// <summary>A handle in a call: whoever disposes it meanwhile ends it only after the call.</summary>
    internal struct Use : IDisposable
    {
        private readonly LibraryHandle held;

        /// <summary>What the library is given.</summary>
        internal readonly IntPtr Value;

        /// <summary>Null is no handle at all, which the library refuses.</summary>
        internal Use(LibraryHandle handle)
        {
            held = null;
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
                held = handle;
                Value = number;
            }
            else
            {
                // A closed handle lives on until the call that holds it ends. Its own number would keep it busy, so that it would
                // not be destroyed then: the library gets one of the same kind that nothing ever had.
                Value = new IntPtr((number.ToInt64() & 0xF) | ~0xFL);
            }
        }

        public void Dispose()
        {
            if (held != null)
                held.DangerousRelease();
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

    internal sealed class BotHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_bot_destroy(handle) == Status.Ok;
        }
    }

    internal sealed class CancelHandle : LibraryHandle
    {
        protected override bool ReleaseHandle()
        {
            return NativeMethods.playmat_cancel_destroy(handle) == Status.Ok;
        }
    }

    /// <summary>A vectorized environment and the arrays that a step under way writes into.</summary>
    internal sealed class VecEnvHandle : LibraryHandle
    {
        /// <summary>What stays where it is until the step was waited for or the environment has ended.</summary>
        internal Pins Pending;

        protected override bool ReleaseHandle()
        {
            // Ends only after a step that is under way; the arrays may move again only then.
            bool ended = NativeMethods.playmat_vec_env_destroy(handle) == Status.Ok;
            if (ended && Pending != null)
                Pending.Free();
            return ended;
        }
    }
}

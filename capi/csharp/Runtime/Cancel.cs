using System;
using System.Threading;

namespace Playmat
{
    /// <summary>A <see cref="CancellationToken"/> as a flag of the library, for one long call. Nothing of C# is called from there: the
    /// token's callback sets the flag, and the library looks at it.</summary>
    internal sealed class Cancel : IDisposable
    {
        private readonly CancellationToken token;
        private readonly CancelHandle handle;
        private readonly CancellationTokenRegistration registration;
        private readonly Use use;

        internal unsafe Cancel(CancellationToken token)
        {
            this.token = token;
            if (!token.CanBeCanceled)
                return;
            handle = new CancelHandle();
            IntPtr given = IntPtr.Zero;
            PlaymatException.Check(NativeMethods.playmat_cancel_create(&given));
            handle.Own(given);
            registration = token.Register(Request, handle);
            use = new Use(handle);
        }

        /// <summary>What the library is given: null for a token that is never cancelled.</summary>
        internal IntPtr Value
        {
            get { return use.Value; }
        }

        /// <summary>Throws what .NET throws where the call was cancelled, and otherwise as every call.</summary>
        internal void Check(Status status)
        {
            if (status == Status.Cancelled)
                throw new OperationCanceledException(Library.LastMessage, token);
            PlaymatException.Check(status);
        }

        public void Dispose()
        {
            // Waits for a callback that is under way.
            registration.Dispose();
            use.Dispose();
            if (handle != null)
                handle.Dispose();
        }

        private static void Request(object flag)
        {
            using (Use cancel = new Use((CancelHandle)flag))
                NativeMethods.playmat_cancel_request(cancel.Value);
        }
    }
}

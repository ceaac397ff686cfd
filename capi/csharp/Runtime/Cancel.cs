using System;
using System.Threading;

namespace Playmat
{
    /// <summary>A <see cref="CancellationToken"/> as a cancel flag of the library, for one long call. The library calls nothing in C#: the
    /// token's callback sets the flag, and the library checks it.</summary>
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

        /// <summary>The handle to pass: null for a token that cannot be cancelled.</summary>
        internal IntPtr Value
        {
            get { return use.Value; }
        }

        /// <summary>Throws OperationCanceledException if the call was cancelled, otherwise as every call.</summary>
        internal void Check(Status status)
        {
            if (status == Status.Cancelled)
                throw new OperationCanceledException(Library.LastMessage, token);
            PlaymatException.Check(status);
        }

        public void Dispose()
        {
            // Waits for a running callback.
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

using System;

namespace Playmat
{
    /// <summary>
    /// What was refused and what is allowed. The only exception of this package: wrong values, disposed objects, null and
    /// wrong lengths all come as one of these, and nothing has changed when one is thrown. (A library that cannot be found or is of
    /// another version is reported by the runtime and by <see cref="InvalidOperationException"/>; a long call whose
    /// CancellationToken was cancelled, as everywhere, by <see cref="OperationCanceledException"/>.)
    /// </summary>
    public sealed class PlaymatException : Exception
    {
        internal PlaymatException(Status status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>Why, as a code that never changes its meaning.</summary>
        public Status Status { get; private set; }

        /// <summary>The stable name of the status, such as "illegal_action", the same in every language.</summary>
        public string Name
        {
            get { return Library.StatusName(Status); }
        }

        /// <summary>Throws unless a call was done; must be asked in the thread of the call.</summary>
        internal static void Check(Status status)
        {
            if (status != Status.Ok)
                throw new PlaymatException(status, Library.LastMessage);
        }
    }
}

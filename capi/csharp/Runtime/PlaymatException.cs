using System;

namespace Playmat
{
    /// <summary>
    /// A refused call: the message says what was given and what is allowed, and nothing has changed. Wrong values and lengths, null and
    /// disposed objects all throw it. A library that is missing is reported by the runtime, one of another version by
    /// <see cref="InvalidOperationException"/>, a cancelled long call by <see cref="OperationCanceledException"/>.
    /// </summary>
    public sealed class PlaymatException : Exception
    {
        internal PlaymatException(Status status, string message) : base(message)
        {
            Status = status;
        }

        /// <summary>Why, as a code whose meaning never changes.</summary>
        public Status Status { get; private set; }

        /// <summary>The stable name of the status, such as "illegal_action", the same in every language.</summary>
        public string Name
        {
            get { return Library.StatusName(Status); }
        }

        /// <summary>Throws if a call was refused. Call it in the thread of the call.</summary>
        internal static void Check(Status status)
        {
            if (status != Status.Ok)
                throw new PlaymatException(status, Library.LastMessage);
        }
    }
}

// Generated from capi/include/playmat.h by `make generate`; changes belong there.
namespace Playmat
{
    /// <summary>The result of a call. Codes are never changed or reused. New ones may be added: treat an unknown one as a refusal. After everything but `Ok` nothing was changed, no output was written, and `Library.LastMessage` says why.</summary>
    public enum Status
    {
        /// <summary>The call succeeded.</summary>
        Ok = 0,
        /// <summary>A pointer is null, but must not be.</summary>
        NullPointer = 1,
        /// <summary>A handle is null, was destroyed before, or never was one.</summary>
        InvalidHandle = 2,
        /// <summary>A handle is of another kind, such as an environment instead of a game.</summary>
        WrongHandle = 3,
        /// <summary>Another thread is in a call with this handle.</summary>
        HandleInUse = 4,
        /// <summary>A buffer is too small. `needed` or `count` was written, if the function has one.</summary>
        BufferTooSmall = 5,
        /// <summary>A text is not valid UTF-8.</summary>
        InvalidUtf8 = 6,
        /// <summary>A defect of the library. Destroy the handles of the call; others continue to work.</summary>
        Panic = 7,
        /// <summary>Too many handles are alive.</summary>
        TooManyHandles = 8,
        /// <summary>`playmat_cancel_request` has ended the call.</summary>
        Cancelled = 9,
        /// <summary>No game has this name.</summary>
        UnknownGame = 100,
        /// <summary>An option does not exist, has the wrong type or is out of range.</summary>
        InvalidOption = 101,
        /// <summary>A content text was refused; the message lists at most 20 findings with line and column.</summary>
        Content = 102,
        /// <summary>An action is not legal. In a batch no environment has moved; the message lists the rows.</summary>
        IllegalAction = 103,
        /// <summary>A text does not name an action.</summary>
        UnknownAction = 104,
        /// <summary>The game has no player of this number.</summary>
        InvalidPlayer = 105,
        /// <summary>The player does not act now.</summary>
        NotActing = 106,
        /// <summary>The episode is over: only resets and reads are possible.</summary>
        EpisodeOver = 107,
        /// <summary>A saved state, JSON or replay is damaged, truncated or of another format.</summary>
        Unreadable = 108,
        /// <summary>A saved state or replay of another game, version, content or configuration.</summary>
        WrongIdentity = 109,
        /// <summary>A position breaks rules of the game; the message lists all reasons.</summary>
        InvalidState = 110,
        /// <summary>An argument is out of range or of the wrong length.</summary>
        InvalidArgument = 111,
        /// <summary>The call came at the wrong time, such as a step before the first reset or during an asynchronous step.</summary>
        Order = 112,
        /// <summary>The library was built without a feature.</summary>
        MissingFeature = 113,
    }

    /// <summary>Whether the episode is running, or how it ended.</summary>
    public enum EpisodeStatus
    {
        /// <summary>At least one player acts.</summary>
        Running = 0,
        /// <summary>Ended by the rules.</summary>
        Terminated = 1,
        /// <summary>Truncated: ended by a limit.</summary>
        Truncated = 2,
    }
}

// Generated from capi/include/playmat.h by `make generate`; changes belong there.
namespace Playmat
{
    /// <summary>What a call came to. Codes are never changed or used again; new ones may be added, so treat an unknown one as a refusal. Everything but `Ok` means that nothing was changed and no output was written, and that `Library.LastMessage` says what was refused and what is allowed.</summary>
    public enum Status
    {
        /// <summary>Done.</summary>
        Ok = 0,
        /// <summary>A pointer is null that must not be.</summary>
        NullPointer = 1,
        /// <summary>A handle is null, was destroyed before, or never was one.</summary>
        InvalidHandle = 2,
        /// <summary>A handle is of another kind, such as an environment where a game is wanted.</summary>
        WrongHandle = 3,
        /// <summary>Another thread is in a call with this handle.</summary>
        HandleInUse = 4,
        /// <summary>A buffer is too small for what would be written; where a function has `needed`, that was set.</summary>
        BufferTooSmall = 5,
        /// <summary>A text is not valid UTF-8.</summary>
        InvalidUtf8 = 6,
        /// <summary>A defect of the library: it caught itself. Destroy the handles of the call; others go on working.</summary>
        Panic = 7,
        /// <summary>More handles are alive than the library can tell apart.</summary>
        TooManyHandles = 8,
        /// <summary>The host asked for the call to end, with `playmat_cancel_request`.</summary>
        Cancelled = 9,
        /// <summary>No game of that name.</summary>
        UnknownGame = 100,
        /// <summary>An option does not exist, has the wrong type or is out of range.</summary>
        InvalidOption = 101,
        /// <summary>A content text was refused; the message lists at most 20 findings with line and column.</summary>
        Content = 102,
        /// <summary>An action is not legal. Of a batch, no environment moved; the message lists the rows.</summary>
        IllegalAction = 103,
        /// <summary>A text does not name an action.</summary>
        UnknownAction = 104,
        /// <summary>A player who does not exist at this table.</summary>
        InvalidSeat = 105,
        /// <summary>A player who has nothing to decide now.</summary>
        NotActing = 106,
        /// <summary>The episode is over: only resets and reading are possible.</summary>
        EpisodeOver = 107,
        /// <summary>A saved state, JSON or replay is damaged, truncated or of another format.</summary>
        Unreadable = 108,
        /// <summary>A saved state or replay of another game, version, content or configuration.</summary>
        WrongIdentity = 109,
        /// <summary>A position breaks rules of the game; the message lists all reasons.</summary>
        InvalidState = 110,
        /// <summary>An argument is out of range or of the wrong length.</summary>
        InvalidArgument = 111,
        /// <summary>The call came at the wrong time, such as a step before the first reset or while another is under way.</summary>
        Order = 112,
        /// <summary>The library was built without a feature.</summary>
        MissingFeature = 113,
    }

    /// <summary>Whether an episode runs, or how it ended.</summary>
    public enum EpisodeStatus
    {
        /// <summary>Somebody must act.</summary>
        Running = 0,
        /// <summary>Ended by the rules.</summary>
        Terminated = 1,
        /// <summary>Cut off by a limit.</summary>
        Truncated = 2,
    }
}

using System;
using System.Collections.Generic;

namespace Playmat
{
    /// <summary>In place of a player's number.</summary>
    public static class Player
    {
        /// <summary>Whoever acts next; after the end whoever acted last.</summary>
        public const int Current = NativeMethods.PLAYMAT_CURRENT_PLAYER;

        /// <summary>Most players of any game.</summary>
        public const int Most = NativeMethods.PLAYMAT_MAX_PLAYERS;
    }

    /// <summary>In place of the player for whom something is shown.</summary>
    public static class Viewer
    {
        /// <summary>A viewer from whom nothing is hidden. Hosts that show a person's screen pass the person's number instead.</summary>
        public const int All = NativeMethods.PLAYMAT_VIEW_ALL;
    }

    /// <summary>
    /// The native library as a whole. It prints nothing, keeps no global state but its table of handles, and starts no thread but
    /// those that a <see cref="VecEnv"/> is asked for.
    /// </summary>
    public static class Library
    {
        private static volatile bool compared;

        /// <summary>The version of the library, such as "0.1.0".</summary>
        public static unsafe string Version
        {
            get { return Text.Of(NativeMethods.playmat_version()); }
        }

        /// <summary>The same as a number, for comparing: major * 1,000,000 + minor * 1000 + patch.</summary>
        public static int VersionNumber
        {
            get { return (int)NativeMethods.playmat_version_number(); }
        }

        /// <summary>
        /// What the last refused call of this thread was refused for, in words; empty if nothing was refused yet. For the
        /// calls that return a <see cref="Status"/>: exceptions have it already.
        /// </summary>
        public static unsafe string LastMessage
        {
            get { return Text.Of(NativeMethods.playmat_error_message()); }
        }

        /// <summary>Registered names of all games, in a fixed order.</summary>
        public static unsafe IReadOnlyList<string> Games
        {
            get
            {
                var names = new string[Number.Int(NativeMethods.playmat_game_count())];
                for (int i = 0; i < names.Length; i++)
                {
                    int index = i;
                    names[i] = Text.Read((room, size, needed) =>
                        NativeMethods.playmat_game_name((UIntPtr)index, room, size, needed));
                }
                return names;
            }
        }

        /// <summary>The stable name of a status, such as "illegal_action"; "unknown" for a number that is none.</summary>
        public static unsafe string StatusName(Status status)
        {
            return Text.Of(NativeMethods.playmat_status_name((int)status));
        }

        /// <summary>Refuses a library of another interface than these sources are for, before anything is asked of it.</summary>
        internal static void Compare()
        {
            if (compared)
                return;
            uint found = NativeMethods.playmat_abi_version();
            if (found != NativeMethods.PLAYMAT_ABI_VERSION)
                throw new InvalidOperationException("the playmat library has interface " + found + "; this package is for interface "
                    + NativeMethods.PLAYMAT_ABI_VERSION + ": take both from the same version");
            compared = true;
        }
    }
}

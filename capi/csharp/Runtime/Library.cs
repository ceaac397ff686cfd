using System;
using System.Collections.Generic;

namespace Playmat
{
    /// <summary>Values for the parameter <c>player</c>.</summary>
    public static class Player
    {
        /// <summary>The player who acts next; after the end the one who acted last.</summary>
        public const int Current = NativeMethods.PLAYMAT_CURRENT_PLAYER;

        /// <summary>Most players of any game.</summary>
        public const int Most = NativeMethods.PLAYMAT_MAX_PLAYERS;
    }

    /// <summary>Values for the parameter <c>viewer</c>.</summary>
    public static class Viewer
    {
        /// <summary>A viewer who sees everything. To show a screen to a person, pass that person's player instead.</summary>
        public const int All = NativeMethods.PLAYMAT_VIEW_ALL;
    }

    /// <summary>
    /// The native library. It prints nothing and keeps no global state but its handles. Only a <see cref="VecEnv"/> starts threads.
    /// </summary>
    public static class Library
    {
        private static volatile bool compared;

        /// <summary>The version of the library, such as "0.1.0".</summary>
        public static unsafe string Version
        {
            get { return Text.Of(NativeMethods.playmat_version()); }
        }

        /// <summary>The version as a number, to compare: major * 1,000,000 + minor * 1000 + patch.</summary>
        public static int VersionNumber
        {
            get { return (int)NativeMethods.playmat_version_number(); }
        }

        /// <summary>
        /// The message of the last refused call of this thread: what was given and what is allowed; empty if no call was refused yet. For
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

        /// <summary>The stable name of a status, such as "illegal_action"; "unknown" for other numbers.</summary>
        public static unsafe string StatusName(Status status)
        {
            return Text.Of(NativeMethods.playmat_status_name((int)status));
        }

        /// <summary>Refuses a library with another interface version, before any other call.</summary>
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

using System;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>An agent of the engine. One thread at a time: a second one is refused with HandleInUse.</summary>
    public sealed class Bot : IDisposable
    {
        private readonly BotHandle handle;

        private Bot(BotHandle handle)
        {
            this.handle = handle;
        }

        /// <summary>Creates a bot.</summary>
        /// <param name="name">"random" or "greedy", the game's own heuristic.</param>
        /// <exception cref="PlaymatException">InvalidArgument; InvalidUtf8; NullPointer; TooManyHandles.</exception>
        public static Bot Create(string name)
        {
            Bot bot;
            PlaymatException.Check(TryCreate(name, out bot));
            return bot;
        }

        /// <summary>The same without an exception: null if it was refused, see <see cref="Library.LastMessage"/>.</summary>
        public static unsafe Status TryCreate(string name, out Bot bot)
        {
            Library.Compare();
            var handle = new BotHandle();
            IntPtr given = IntPtr.Zero;
            byte[] bytes = Text.Bytes(name);
            Status status;
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_bot_create(start, Text.Length(bytes), &given);
            bot = null;
            if (status == Status.Ok)
            {
                handle.Own(given);
                bot = new Bot(handle);
            }
            return status;
        }

        /// <summary>
        /// Chooses an action for an acting player; the environment does not step. The bot knows what the player may know.
        /// </summary>
        /// <exception cref="PlaymatException">EpisodeOver; NotActing; InvalidPlayer; InvalidHandle; HandleInUse.</exception>
        public long Action(Env env, int player = Player.Current)
        {
            long action;
            PlaymatException.Check(TryAction(env, out action, player));
            return action;
        }

        /// <summary>The same without an exception: -1 if it was refused.</summary>
        public unsafe Status TryAction(Env env, out long action, int player = Player.Current)
        {
            long chosen = -1;
            Status status;
            using (Use bot = new Use(handle))
            using (Use of = new Use(env == null ? null : env.Owned))
                status = NativeMethods.playmat_bot_action(bot.Value, of.Value, player, &chosen);
            action = chosen;
            return status;
        }

        /// <summary>The handle, for functions of playmat.h that a host declares for itself.</summary>
        public SafeHandle Handle
        {
            get { return handle; }
        }

        /// <summary>Destroys the bot, after a running call of another thread.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }
    }
}

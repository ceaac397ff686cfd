using System;

namespace Playmat
{
    public sealed partial class Env
    {
        /// <summary>The position as JSON, redacted for a viewer, for a host to draw.</summary>
        /// <param name="viewer">A player, or <see cref="Viewer.All"/>. Only the latter JSON can be loaded.</param>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public unsafe string ToJson(int viewer = Viewer.All)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_to_json(env.Value, viewer, room, size, needed));
        }

        /// <summary>What the last step changed as a JSON array of events in order, redacted for a viewer, for a host to animate. "event" is
        /// the kind; "player" the player that it is about, absent if there is none; "text" the event as a sentence; "changes" a JSON
        /// Patch (RFC 6902) from the JSON of <see cref="ToJson"/> for the same viewer before the event to the JSON after it. A last event
        /// "update" has the changes that belong to no other event. After a reset and before the first step these are the events of the deal,
        /// with empty "changes". Before the first step of a state that was loaded, sampled or cloned with a seed the array is empty.</summary>
        /// <param name="viewer">A player, or <see cref="Viewer.All"/>.</param>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public unsafe string Events(int viewer = Viewer.All)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_events(env.Value, viewer, room, size, needed));
        }

        /// <summary>The key of a player's information state: 128 bits over everything that the player has seen and chosen since the deal. Two
        /// histories have equal keys exactly if the player cannot tell them apart; the key is the same in every language. A sample keeps
        /// that of its player. In a loaded state the information state begins with what the player sees there.</summary>
        /// <param name="low">The low 64 bits.</param>
        /// <param name="high">The high 64 bits.</param>
        /// <param name="player">Any player, or <see cref="Player.Current"/>.</param>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public unsafe void InformationStateKey(out ulong low, out ulong high, int player = Player.Current)
        {
            var words = new ulong[2];
            using (Use env = new Use(handle))
            fixed (ulong* start = words)
                PlaymatException.Check(NativeMethods.playmat_env_information_state_key(env.Value, player, start, Number.Size(words)));
            low = words[0];
            high = words[1];
        }

        /// <summary>A player's information state as a JSON object: "key" (0x and 32 digits), "start" (the first view) and "seen", a list of
        /// the player's own choices and of the events that the player saw.</summary>
        /// <param name="player">Any player, or <see cref="Player.Current"/>.</param>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public unsafe string InformationState(int player = Player.Current)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_information_state(env.Value, player, room, size, needed));
        }

        /// <summary>The position as text for a terminal.</summary>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public unsafe string DrawText(int viewer = Viewer.All)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_draw_text(env.Value, viewer, room, size, needed));
        }

        /// <summary>The position as an SVG image.</summary>
        /// <exception cref="PlaymatException">InvalidPlayer.</exception>
        public unsafe string DrawSvg(int viewer = Viewer.All)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_draw_svg(env.Value, viewer, room, size, needed));
        }

        /// <summary>The position as a PNG image.</summary>
        /// <param name="viewer">A player, or <see cref="Viewer.All"/>.</param>
        /// <param name="width">In pixels; 0 for the default.</param>
        /// <exception cref="PlaymatException">InvalidPlayer; InvalidArgument (width); MissingFeature (a library built without pictures).</exception>
        public unsafe byte[] DrawPng(int viewer = Viewer.All, int width = 0)
        {
            using (Use env = new Use(handle))
                return Text.ReadBytes((room, size, needed) =>
                    NativeMethods.playmat_env_draw_png(env.Value, viewer, unchecked((uint)width), room, size, needed), 256 * 1024);
        }

        /// <summary>The position as pixels.</summary>
        /// <param name="viewer">A player, or <see cref="Viewer.All"/>.</param>
        /// <param name="width">In pixels; 0 for the default.</param>
        /// <exception cref="PlaymatException">InvalidPlayer; InvalidArgument (width); MissingFeature (a library built without pictures).</exception>
        public unsafe Picture DrawRgb(int viewer = Viewer.All, int width = 0)
        {
            int across = 0, down = 0;
            using (Use env = new Use(handle))
            {
                byte[] pixels = Text.ReadBytes((room, size, needed) =>
                {
                    PlaymatPictureSize raw;
                    Status status = NativeMethods.playmat_env_draw_rgb(env.Value, viewer, unchecked((uint)width), room, size, needed, &raw);
                    across = checked((int)raw.width);
                    down = checked((int)raw.height);
                    return status;
                }, 1024 * 1024);
                return new Picture(across, down, pixels);
            }
        }

        /// <summary>The text of an action in this position.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (action); InvalidPlayer.</exception>
        public unsafe string ActionText(long action, int player = Player.Current)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) =>
                    NativeMethods.playmat_env_action_text(env.Value, player, action, room, size, needed));
        }

        /// <summary>What a legal action would do, as far as the player knows: the text of its card, whether it busts. Empty for actions
        /// that need no explanation and for actions that are not legal now.</summary>
        /// <exception cref="PlaymatException">InvalidArgument (action); InvalidPlayer.</exception>
        public unsafe string ActionHelp(long action, int player = Player.Current)
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) =>
                    NativeMethods.playmat_env_action_help(env.Value, player, action, room, size, needed));
        }

        /// <summary>Finds the action with a text in this position.</summary>
        /// <exception cref="PlaymatException">UnknownAction; InvalidPlayer; InvalidUtf8; NullPointer.</exception>
        public long ParseAction(string text, int player = Player.Current)
        {
            long action;
            PlaymatException.Check(TryParseAction(text, out action, player));
            return action;
        }

        /// <summary>The same without an exception: -1 if it was refused.</summary>
        public unsafe Status TryParseAction(string text, out long action, int player = Player.Current)
        {
            byte[] bytes = Text.Bytes(text);
            long found = -1;
            Status status;
            using (Use env = new Use(handle))
            fixed (byte* start = bytes)
                status = NativeMethods.playmat_env_parse_action(env.Value, player, start, Text.Length(bytes), &found);
            action = found;
            return status;
        }

        /// <summary>What is wrong with the state, as a JSON array of objects with path and message. It is empty in every state that play
        /// reaches.</summary>
        public unsafe string Validate()
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_validate(env.Value, room, size, needed));
        }

        /// <summary>The episode as a replay: game, options, content, seed and decisions, as readable JSON, for
        /// <see cref="Playmat.Game.FromReplay"/> and <see cref="Playmat.Game.EnvFromReplay"/>.</summary>
        public unsafe string Replay()
        {
            using (Use env = new Use(handle))
                return Text.Read((room, size, needed) => NativeMethods.playmat_env_replay(env.Value, room, size, needed));
        }

        /// <summary>State, random streams and seeds as bytes, for <see cref="Playmat.Game.LoadEnv(ReadOnlySpan{byte})"/> of the same build,
        /// game and content. The last 84 bytes hold the random streams of agents and of <see cref="SampleAction"/>; the bytes before them are
        /// equal in equal positions.</summary>
        public unsafe byte[] Save()
        {
            using (Use env = new Use(handle))
                return Text.ReadBytes((room, size, needed) => NativeMethods.playmat_env_save(env.Value, room, size, needed));
        }

        /// <summary>The bytes of the state with which the history begins; none if that is the deal of the episode's seed.</summary>
        public unsafe byte[] Start()
        {
            using (Use env = new Use(handle))
                return Text.ReadBytes((room, size, needed) => NativeMethods.playmat_env_start(env.Value, room, size, needed));
        }

        /// <summary>The decisions since the deal, or since the state that was loaded, sampled or cloned with a seed.</summary>
        public unsafe Decision[] History()
        {
            PlaymatDecision[] raw = new PlaymatDecision[256];
            UIntPtr count = UIntPtr.Zero;
            using (Use env = new Use(handle))
            {
                for (;;)
                {
                    Status status;
                    fixed (PlaymatDecision* start = raw)
                        status = NativeMethods.playmat_env_history(env.Value, start, Number.Size(raw), &count);
                    if (status != Status.BufferTooSmall || Number.Int(count) <= raw.Length)
                    {
                        PlaymatException.Check(status);
                        break;
                    }
                    raw = new PlaymatDecision[Number.Int(count)];
                }
            }
            var all = new Decision[Number.Int(count)];
            for (int i = 0; i < all.Length; i++)
                all[i] = new Decision { Player = raw[i].player, Action = raw[i].action };
            return all;
        }
    }

    /// <summary>A picture as pixels.</summary>
    public sealed class Picture
    {
        internal Picture(int width, int height, byte[] pixels)
        {
            Width = width;
            Height = height;
            Pixels = pixels;
        }

        /// <summary>Pixels per row.</summary>
        public int Width { get; private set; }
        /// <summary>Rows.</summary>
        public int Height { get; private set; }
        /// <summary>Red, green and blue, a byte each, row by row from the top: 3 * Width * Height.</summary>
        public byte[] Pixels { get; private set; }
    }
}

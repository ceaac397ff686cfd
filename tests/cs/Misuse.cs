using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using Playmat;

/// <summary>Without a name: prints the names of all cases. With one: commits that misuse, in a process of its own, and checks that it came
/// to a status and a message and that no output was touched.</summary>
internal static class Misuse
{
    private static Game game;
    private static Env env;
    private static Agent agent;
    private static VecEnv venv;

    /// <summary>A call must end because its token was cancelled.</summary>
    private static void Cancelled(Action call)
    {
        try
        {
            call();
        }
        catch (OperationCanceledException cancelled)
        {
            Check.True(cancelled.Message.Length > 10);
            return;
        }
        throw new Exception("was not cancelled");
    }

    private static readonly Dictionary<string, Action> Cases = new Dictionary<string, Action>
    {
        { "game_name_unknown", () => Check.True(Game("grafia").Message.Contains("did you mean")) },
        { "game_name_null", () => Check.Refused(Status.NullPointer, () => Playmat.Game.Create(null)) },
        { "game_name_empty", () => Game("") },
        { "game_name_zero_inside", () => Game("graphia\0") },
        { "game_name_half_a_pair", () => Check.True(
            Check.Refused(Status.InvalidUtf8, () => Playmat.Game.Create("gr\ud800aphia")).Message.Contains("at 2")) },
        { "game_options_not_json", () => Options(Status.Unreadable, "{\"players\"") },
        { "game_options_half_a_pair", () => Options(Status.InvalidUtf8, "{\"players\": \"\udc00\"}") },
        { "game_options_key_twice", () => Options(Status.Unreadable, "{\"players\":1,\"players\":2}") },
        { "game_options_nested", () => Options(Status.Unreadable, "{\"players\":" + new string('[', 1000000)) },
        { "game_option_wrong", () => Options(Status.InvalidOption, "players = 99") },
        { "game_content_wrong", () => Check.Refused(Status.Content, () => Playmat.Game.Create("graphia", null, "x = 1\n")) },
        { "game_content_twice", () => Check.Refused(Status.InvalidArgument,
            () => Playmat.Game.Create("graphia", "content = 'graphia'", "graphia")) },
        { "game_try", GameTry },
        { "game_disposed", () => { game.Dispose(); Check.Refused(Status.InvalidHandle, () => game.CreateEnv(1));
            Check.Refused(Status.InvalidHandle, () => game.Describe()); env.Step(0); game = Playmat.Game.Create("connect_four"); } },
        { "game_disposed_layout", () => { game.Dispose(); Check.Refused(Status.InvalidHandle, () => game.Segments.First());
            Check.Refused(Status.InvalidHandle, () => game.ActionRanges.First()); game = Playmat.Game.Create("connect_four"); } },
        { "game_action", () => Check.Refused(Status.InvalidArgument, () => game.ActionText(-1)) },
        { "game_action_huge", () => Check.Refused(Status.InvalidArgument, () => game.ActionText(long.MaxValue)) },
        { "game_text", () => Check.Refused(Status.UnknownAction, () => game.ParseAction("castle")) },
        { "game_text_null", () => Check.Refused(Status.NullPointer, () => game.ParseAction(null)) },
        { "game_agents", () => Check.Refused(Status.InvalidArgument, () => game.Survey(1, 1, "random,wise")) },
        { "env_disposed", () => { env.Dispose(); AllOf(env); } },
        { "env_disposed_twice", () => { env.Dispose(); env.Dispose(); Check.Equal(env.TryStep(0), Status.InvalidHandle); } },
        { "env_disposed_and_place_used", () => { env.Dispose(); using (Env next = game.CreateEnv(2)) { AllOf(env); next.Step(0); } } },
        { "env_is_game", () => Foreign(Status.WrongHandle, playmat_env_step(game.Handle.DangerousGetHandle(), 0)) },
        { "env_is_memory", () => Foreign(Status.InvalidHandle, playmat_env_step(Marshal.AllocHGlobal(64), 0)) },
        { "env_is_null", () => Foreign(Status.InvalidHandle, playmat_env_step(IntPtr.Zero, 0)) },
        { "env_ended_behind_its_back", () => { Check.Equal(playmat_env_destroy(env.Handle.DangerousGetHandle()), 0);
            AllOf(env); env.Dispose(); } },
        { "env_ends_when_disposed", () => { IntPtr number = env.Handle.DangerousGetHandle(); CallsThatThrow(); env.Dispose();
            Foreign(Status.InvalidHandle, playmat_env_destroy(number)); } },
        { "game_ends_when_disposed", () => { IntPtr number = game.Handle.DangerousGetHandle(); game.Describe(); game.ActionText(0);
            Check.Throws(() => game.Survey(1, 1, "wise")); Check.True(game.Segments.Count + game.ActionRanges.Count > 1); game.Dispose();
            Foreign(Status.InvalidHandle, playmat_game_destroy(number)); game = Playmat.Game.Create("connect_four"); } },
        { "venv_ends_when_disposed", () => { IntPtr number = venv.Handle.DangerousGetHandle(); venv.Reset(1, null); venv.Save(); venv.State(0);
            Check.Throws(() => venv.Results()); Check.Throws(() => venv.State(9)); Check.Throws(() => venv.Step(new int[1], null)); venv.Dispose();
            Foreign(Status.InvalidHandle, playmat_vec_env_destroy(number)); } },
        { "agent_ends_when_disposed", () => { IntPtr number = agent.Handle.DangerousGetHandle(); agent.Act(env); Check.Throws(() => agent.Act(null));
            agent.Dispose(); Foreign(Status.InvalidHandle, playmat_agent_destroy(number)); } },
        { "env_action_illegal", () => Check.Refused(Status.IllegalAction, () => env.Step(7)) },
        { "env_action_negative", () => Check.Refused(Status.IllegalAction, () => env.Step(-1)) },
        { "env_action_huge", () => Check.Refused(Status.IllegalAction, () => env.Step(long.MaxValue)) },
        { "env_not_acting", () => Check.Refused(Status.NotActing, () => env.Step(1, 0)) },
        { "env_player", () => Check.Refused(Status.InvalidPlayer, () => env.Step(2, 0)) },
        { "env_player_wraps", () => Check.Refused(Status.InvalidPlayer, () => env.Step(256, 0)) },
        { "env_joint_short", () => Check.Refused(Status.InvalidArgument, () => env.StepJoint(new long[1])) },
        { "env_joint_null", () => Check.Refused(Status.InvalidArgument, () => env.StepJoint((long[])null)) },
        { "env_mask_small", () => Untouched(new byte[6], part => Check.Refused(Status.BufferTooSmall, () => env.ActionMask(part))) },
        { "env_mask_null", () => Check.Refused(Status.NullPointer, () => env.ActionMask((byte[])null)) },
        { "env_mask_player", () => Untouched(new byte[7], part => Check.Refused(Status.InvalidPlayer, () => env.ActionMask(part, -3))) },
        { "env_observation_small", () =>
            Untouched(new byte[125], part => Check.Refused(Status.BufferTooSmall, () => env.Observation(part))) },
        { "env_observation_none", () => Check.Refused(Status.BufferTooSmall, () => env.Observation(new float[0])) },
        { "env_observation_null", () => Check.Refused(Status.NullPointer, () => env.Observation((float[])null)) },
        { "env_observation_player", () =>
            Untouched(new byte[126], part => Check.Refused(Status.InvalidPlayer, () => env.Observation(part, 2))) },
        { "env_picture_negative", () => Check.Refused(Status.InvalidArgument, () => env.DrawPng(0, -1)) },
        { "env_into_small", () => Untouched(new byte[6], part => { Check.Refused(Status.BufferTooSmall, () => env.StepInto(0, null, part));
            Check.Equal(env.Episode.Decisions, 0); }) },
        { "env_into_twice", () => Untouched(new byte[200], part => Check.Refused(Status.InvalidArgument,
            () => env.StepInto(0, part, part))) },
        { "env_floats", () => Check.Refused(Status.InvalidArgument, () => game.ToFloats(new byte[126], new float[125])) },
        { "game_conformance_negative", () => Check.Refused(Status.InvalidArgument, () => game.Conformance(1, -1)) },
        { "game_conformance_unknown", () => Check.True(
            Check.Refused(Status.InvalidArgument, () => game.Conformance(1, 2, "ZZ")).Message.Contains("got `ZZ`")) },
        { "game_survey_endless", () => Check.Refused(Status.InvalidArgument, () => game.Survey(ulong.MaxValue, 1, "random")) },
        { "game_survey_agents", () => Check.Refused(Status.InvalidArgument, () => game.Survey(1, 1, "random,random,random")) },
        { "game_digest_endless", () => Check.Refused(Status.InvalidArgument, () => game.Digest(ulong.MaxValue)) },
        { "game_conformance_half_a_pair", () => Check.Refused(Status.InvalidUtf8, () => game.Conformance(1, 1, "\ud800")) },
        { "env_legal_small", () => Check.Refused(Status.BufferTooSmall, () => env.LegalActions(new long[6])) },
        { "env_rewards_small", () => Check.Refused(Status.BufferTooSmall, () => env.Rewards(new float[1])) },
        { "env_viewer", () => Check.Refused(Status.InvalidPlayer, () => env.ToJson(2)) },
        { "env_viewer_current", () => Check.Refused(Status.InvalidPlayer, () => env.Events(Player.Current)) },
        { "env_picture_viewer", () => Check.Refused(Status.InvalidPlayer, () => env.DrawSvg(-7)) },
        { "env_json_null", () => Check.Refused(Status.NullPointer, () => game.EnvFromJson(null)) },
        { "env_json_bad", () => Check.Refused(Status.InvalidState, () => game.EnvFromJson("{\"state\": 3}")) },
        { "env_json_cut", () => Check.Refused(Status.Unreadable, () => game.EnvFromJson("{\"state\": {")) },
        { "env_json_half_a_pair", () => Check.Refused(Status.InvalidUtf8, () => game.EnvFromJson("{\"state\": \"\ud800\"}")) },
        { "env_json_nested", () => Check.Refused(Status.Unreadable, () => game.EnvFromJson("{\"state\": " + new string('[', 1000000))) },
        { "env_json_of_a_player", () => { using (Playmat.Game hidden = Playmat.Game.Create("kuhn_poker")) using (Env dealt = hidden.CreateEnv(1))
            Check.True(Check.Throws(() => hidden.EnvFromJson(dealt.ToJson(0))) != Status.Ok); } },
        { "env_bytes_bad", () => Check.Refused(Status.Unreadable, () => game.LoadEnv(new byte[64])) },
        { "env_bytes_none", () => Check.Refused(Status.Unreadable, () => game.LoadEnv((byte[])null)) },
        { "env_sample_player", () => Check.Refused(Status.InvalidPlayer, () => env.SampleHidden(9, 1)) },
        { "env_text_unknown", () => Check.Refused(Status.UnknownAction, () => env.ParseAction("castle")) },
        { "env_help_action", () => Check.True(
            Check.Refused(Status.InvalidArgument, () => env.ActionHelp(7)).Message.Contains("got 7; actions are 0 to 6")) },
        { "env_help_player", () => Check.Refused(Status.InvalidPlayer, () => env.ActionHelp(0, 2)) },
        { "game_scale_none", () => Check.True(
            Check.Refused(Status.InvalidArgument, () => game.RewardScale(0)).Message.Contains("got 0; allowed: 1 to 1000000")) },
        { "game_scale_endless", () => Check.Refused(Status.InvalidArgument, () => game.RewardScale(ulong.MaxValue)) },
        { "game_scale_disposed", () => { game.Dispose(); Check.Refused(Status.InvalidHandle, () => game.RewardScale(1));
            game = Playmat.Game.Create("connect_four"); } },
        { "env_over", () => { while (!env.Done) env.Step(env.SampleAction());
            Check.Refused(Status.EpisodeOver, () => env.Step(0)); Check.Refused(Status.EpisodeOver, () => env.SampleAction()); } },
        { "history_player", () => Check.Refused(Status.InvalidPlayer,
            () => game.LoadEnv(env.Save(), new byte[0], new[] { new Decision { Player = 5, Action = 3 } })) },
        { "replay_null", () => Check.Refused(Status.NullPointer, () => Playmat.Game.FromReplay(null)) },
        { "replay_bad", () => Check.Refused(Status.Unreadable, () => game.EnvFromReplay("{}")) },
        { "replay_game_bad", () => Check.Refused(Status.Unreadable, () => Playmat.Game.FromReplay("[]")) },
        { "replay_length_bad", () => Check.Refused(Status.Unreadable, () => Playmat.Game.ReplayLength("replay")) },
        { "replay_decisions", () => Check.Refused(Status.InvalidArgument, () => game.EnvFromReplay(env.Replay(), 1)) },
        { "replay_decisions_negative", () => Check.Refused(Status.InvalidArgument, () => game.EnvFromReplay(env.Replay(), -2)) },
        { "agent_spec", () => Check.Refused(Status.InvalidArgument, () => game.CreateAgent("wise")) },
        { "agent_spec_null", () => Check.Refused(Status.NullPointer, () => game.CreateAgent(null)) },
        { "agent_other_game", () => { using (Game kuhn = Playmat.Game.Create("kuhn_poker")) using (Agent other = kuhn.CreateAgent("random"))
            Check.Refused(Status.InvalidArgument, () => other.Act(env)); } },
        { "agent_env_null", () => Check.Refused(Status.InvalidHandle, () => agent.Act(null)) },
        { "agent_disposed", () => { agent.Dispose(); Check.Refused(Status.InvalidHandle, () => agent.Act(env)); } },
        { "agent_env_disposed", () => { env.Dispose(); Check.Refused(Status.InvalidHandle, () => agent.Act(env)); } },
        { "agent_evaluate", () => { Check.Refused(Status.InvalidArgument, () => agent.Evaluate(env));
            Check.Refused(Status.InvalidPlayer, () => agent.Evaluate(env, 2)); Check.Refused(Status.InvalidHandle, () => agent.Evaluate(null)); } },
        { "agent_statistics", () => { Check.Refused(Status.InvalidArgument, () => agent.Statistics(env));
            using (Agent search = game.CreateAgent("mcts:20"))
            {
                Check.Refused(Status.Order, () => search.Statistics(env)); search.Act(env); search.Statistics(env);
                Check.Refused(Status.Order, () => search.Statistics(env, 1)); Check.Refused(Status.InvalidPlayer, () => search.Statistics(env, 2));
                Check.Refused(Status.InvalidHandle, () => search.Statistics(null));
            } } },
        { "agent_player", () => Check.Refused(Status.NotActing, () => agent.Act(env, 1)) },
        { "venv_config_bad", () => Check.Refused(Status.Unreadable, () => game.CreateVecEnv(4, "{")) },
        { "venv_config_key", () => Check.Refused(Status.InvalidArgument, () => game.CreateVecEnv(4, "thread = 2")) },
        { "venv_none", () => Check.Refused(Status.InvalidArgument, () => game.CreateVecEnv(0)) },
        { "venv_negative", () => Check.Refused(Status.InvalidArgument, () => game.CreateVecEnv(-1)) },
        { "venv_no_opponents", () => Check.Refused(Status.InvalidArgument, () => game.CreateVecEnv(4, "view = 'single'")) },
        { "venv_learner", () => Check.Refused(Status.InvalidPlayer, () => game.CreateVecEnv(4, "learner = 5\nopponents = 'random'")) },
        { "venv_disposed", () => { venv.Dispose(); Check.Refused(Status.InvalidHandle, () => venv.Reset(1, venv.CreateBatch()));
            Check.Equal(venv.TryStepWait(), Status.InvalidHandle); } },
        { "venv_before_reset", () => Check.Refused(Status.Order, () => venv.Step(new long[4], null)) },
        { "venv_wait", () => { venv.Reset(1, null); Check.Refused(Status.Order, () => venv.StepWait()); } },
        { "venv_actions_short", () => Batch(Status.InvalidArgument, batch => venv.Step(new long[3], batch)) },
        { "venv_actions_long", () => Batch(Status.InvalidArgument, batch => venv.Step(new int[5], batch)) },
        { "venv_actions_null", () => Batch(Status.InvalidArgument, batch => venv.Step((long[])null, batch)) },
        { "venv_actions_illegal", () => Batch(Status.IllegalAction, batch => venv.Step(new long[] { 0, 1, 9, 3 }, batch)) },
        { "venv_actions_illegal_later", () => Batch(Status.IllegalAction, batch => { venv.StepAsync(new long[] { 0, 1, 9, 3 }, batch);
            venv.StepWait(); }) },
        { "venv_buffer_short", () => Batch(Status.InvalidArgument, batch => { batch.Obs = new byte[3]; venv.Step(new long[4], batch); }) },
        { "venv_buffer_type", () => Batch(Status.InvalidArgument, batch => { batch.Obs = null; batch.ObsFloat = new float[4 * 126];
            venv.Step(new long[4], batch); }) },
        { "venv_buffer_twice", () => Batch(Status.InvalidArgument, batch => { batch.FinalMask = batch.ActionMask;
            venv.Step(new long[4], batch); }) },
        { "venv_buffer_of_another", () => Batch(Status.InvalidArgument, batch => { using (VecEnv larger = game.CreateVecEnv(5))
            larger.Reset(1, batch); }) },
        { "venv_seeds_short", () => Batch(Status.InvalidArgument, batch => venv.Reset(new ulong[3], batch)) },
        { "venv_mask_short", () => Batch(Status.InvalidArgument, batch => venv.Reset(1, batch, new byte[3])) },
        { "venv_mask_empty", () => { byte[][] states = Enumerable.Repeat(env.Save(), 4).ToArray();
            EmptyMask(batch => venv.Reset(batch, new byte[0])); EmptyMask(batch => venv.Reset(1, batch, new byte[0]));
            EmptyMask(batch => venv.Reset(new ulong[4], batch, new byte[0]));
            EmptyMask(batch => venv.ResetStates(states, batch, new byte[0])); } },
        { "venv_states_bad", () => Batch(Status.Unreadable,
            batch => venv.ResetStates(Enumerable.Repeat(new byte[64], 4).ToArray(), batch)) },
        { "venv_states_short", () => Batch(Status.InvalidArgument, batch => venv.ResetStates(new byte[1][], batch)) },
        { "venv_states_null", () => Batch(Status.InvalidArgument, batch => venv.ResetStates(null, batch)) },
        { "venv_states_of_null", () => Batch(Status.Unreadable, batch => venv.ResetStates(new byte[4][], batch)) },
        { "venv_pending", () => { Batch late = venv.CreateBatch(); venv.Reset(1, late); venv.StepAsync(new long[4], late);
            Check.Refused(Status.Order, () => venv.Step(new long[4], null)); Check.Refused(Status.Order, () => venv.Save()); venv.StepWait(); } },
        { "venv_dropped_pending", () => { Batch late = venv.CreateBatch(); venv.Reset(1, late); venv.StepAsync(new long[4], late);
            venv.Dispose(); Check.Refused(Status.InvalidHandle, () => venv.StepWait()); } },
        { "venv_index", () => Batch(Status.InvalidArgument, batch => venv.State(4)) },
        { "venv_index_negative", () => Batch(Status.InvalidArgument, batch => venv.Episode(-1)) },
        { "venv_bytes", () => Batch(Status.Unreadable, batch => venv.Load(new byte[100])) },
        { "venv_observe", () => Batch(Status.InvalidArgument, batch => venv.Observe(0, new byte[5])) },
        { "venv_observe_type", () => Batch(Status.InvalidArgument, batch => venv.ObserveAll(new float[4 * 2 * 126])) },
        { "venv_observe_player", () => Batch(Status.InvalidPlayer, batch => venv.Observe(2, new byte[4 * 126])) },
        { "venv_sample_short", () => Batch(Status.InvalidArgument, batch => venv.SampleActions(new long[3])) },
        { "agent_cancelled", () => { using (Agent slow = game.CreateAgent("mcts:10000000"))
            using (var source = new System.Threading.CancellationTokenSource(50)) { byte[] before = env.Save();
            Cancelled(() => slow.Act(env, Player.Current, source.Token));
            Check.Same(env.Save(), before); venv.Reset(1, null); var actions = new long[4];
            Cancelled(() => slow.ActBatch(venv, actions, default(ReadOnlySpan<byte>), source.Token));
            Check.Equal(actions[0], 0L); } } },
        { "agent_batch_mask", () => Batch(Status.InvalidArgument, batch => agent.ActBatch(venv, new long[4], new byte[3])) },
        { "agent_batch_mask_empty", () => EmptyMask(batch => agent.ActBatch(venv, new long[4], new byte[0])) },
        { "search_spec", () => { Search none; Check.Equal(game.TryCreateSearch("greedy", 1, 1, out none), Status.InvalidArgument);
            Check.True(none == null); Check.Refused(Status.NullPointer, () => game.CreateSearch(null));
            Check.Refused(Status.InvalidArgument, () => game.CreateSearch("mcts:8", -1)); } },
        { "search_disposed", () => { Search search = game.CreateSearch("mcts:8"); search.Dispose(); search.Dispose(); int count;
            Check.Equal(search.TryStart(0, env), Status.InvalidHandle); Check.Refused(Status.InvalidHandle, () => search.Stop(0));
            Check.Equal(search.TryCollect(new Leaves(1), out count), Status.InvalidHandle);
            Check.Equal(search.TryFeed(new float[7], new float[1]), Status.InvalidHandle); } },
        { "search_env_null", () => { using (Search search = game.CreateSearch("mcts:8")) {
            Check.Equal(search.TryStart(0, null), Status.InvalidHandle); Check.Refused(Status.InvalidHandle, () => search.Start(null)); } } },
        { "search_order", () => { using (Search search = game.CreateSearch("mcts:8", 2)) { int count;
            Check.Equal(search.TryCollect(new Leaves(2), out count), Status.Order);
            Check.Equal(search.TryFeed(new float[7], new float[1]), Status.Order);
            Check.Refused(Status.Order, () => search.Policy(new float[14])); search.Start(0, env);
            Check.Equal(search.TryCollect(null, out count), Status.NullPointer);
            Check.Equal(search.TryCollect(new Leaves(0), out count), Status.InvalidArgument);
            Check.Equal(search.TryCollect(new Leaves(2) { Player = new int[1] }, out count), Status.InvalidArgument);
            var same = new int[2];
            Check.Equal(search.TryCollect(new Leaves(2) { Player = same, Search = same }, out count), Status.InvalidArgument);
            Check.Equal(search.TryCollect(new Leaves(2), out count), Status.Ok); Check.Equal(count, 1);
            Check.Equal(search.TryFeed(new float[7], new float[2]), Status.InvalidArgument);
            Check.Equal(search.TryFeed(new float[7], new float[] { float.NaN }), Status.InvalidArgument);
            search.Feed(new float[7], new float[1]);
            Check.Refused(Status.InvalidArgument, () => search.Start(2, env)); Check.Refused(Status.NotActing, () => search.Start(0, env, 1)); } } },
        { "search_row_negative", () => { using (Search search = game.CreateSearch("mcts:8", 2)) {
            Check.True(Check.Refused(Status.InvalidArgument, () => search.Start(-1, env)).Message.Contains("got -1; rows are 0 to 1"));
            Check.True(Check.Refused(Status.InvalidArgument, () => search.Stop(-2)).Message.Contains("got -2; rows are 0 to 1")); } } },
        { "search_mask_empty", () => EmptyMask(batch => { using (Search search = game.CreateSearch("mcts:8", 4))
            search.Start(venv, true, new byte[0]); }) },
        { "search_results", () => { using (Search search = game.CreateSearch("mcts:8", 2)) {
            search.Start(0, env); search.Start(1, env);
            var room = new Leaves(search.Sizes);
            for (int count = search.Collect(room); count > 0; count = search.Collect(room))
                search.Feed(new float[count * 7], new float[count]);
            foreach (int length in new[] { 0, 13, 15 })
            {
                var floats = new float[length];
                Check.Refused(Status.InvalidArgument, () => search.Policy(floats));
                Check.Refused(Status.InvalidArgument, () => search.MeanReturns(floats));
                Check.Refused(Status.InvalidArgument, () => search.Priors(floats));
                Check.Refused(Status.InvalidArgument, () => search.Visits(new int[length]));
                Check.Refused(Status.InvalidArgument, () => search.Values(floats));
                Check.Refused(Status.InvalidArgument, () => search.Actions(new long[length]));
                Check.True(floats.All(value => value == 0));
            }
            foreach (float temperature in new[] { -2, 101, float.NaN })
                Check.True(Check.Refused(Status.InvalidArgument, () => search.Actions(new long[2], temperature)).Message
                    .Contains("allowed: 0 to 100"));
            search.Actions(new long[2], 100); } } },
        { "search_feed_null", () => { using (Search search = game.CreateSearch("mcts:8")) {
            Check.Refused(Status.Order, () => search.Feed(null, null)); search.Start(0, env); search.Collect(new Leaves(1));
            Check.Refused(Status.InvalidArgument, () => search.Feed(null, null));
            Check.Refused(Status.InvalidArgument, () => search.Feed(new float[7], null));
            Check.Equal(search.Waiting, 1); search.Feed(new float[7], new float[1]); } } },
        { "leaves_negative", () => { using (Search search = game.CreateSearch("mcts:8")) {
            Negative(() => new Leaves(-1)); Negative(() => new Leaves(search.Sizes, false, -1)); } } },
        { "agent_batch_null", () => Check.Refused(Status.InvalidHandle, () => agent.ActBatch(null, new long[4])) },
        { "agent_evaluate_batch", () => Batch(Status.InvalidArgument, batch => agent.EvaluateBatch(venv)) },
        { "agent_evaluate_batch_null", () => Check.Refused(Status.InvalidHandle, () => agent.EvaluateBatch(null)) },
        { "agent_statistics_batch", () => Batch(Status.InvalidArgument, batch => agent.StatisticsBatch(venv)) },
        { "agent_statistics_batch_null", () => Check.Refused(Status.InvalidHandle, () => agent.StatisticsBatch(null)) },
        { "agent_batch_short", () => Batch(Status.InvalidArgument, batch => agent.ActBatch(venv, new long[3])) },
        { "venv_weights", () => Batch(Status.InvalidArgument, batch => venv.SetWeights(new[] { -1.0 })) },
        { "venv_opponent", () => Batch(Status.InvalidArgument, batch => venv.AddOpponent("wise", 1)) },
        { "venv_policy", () => Batch(Status.InvalidArgument, batch => venv.Rollout("wise", new Rollout(1), batch)) },
        { "venv_rollout_null", () => Batch(Status.NullPointer, batch => venv.Rollout("random", null, batch)) },
        { "venv_rollout_negative", () => Batch(Status.InvalidArgument, batch => venv.Rollout("random", new Rollout(-1), batch)) },
        { "venv_rollout_endless", () => Batch(Status.InvalidArgument, batch => venv.Rollout("random", new Rollout(int.MaxValue), batch)) },
        { "venv_rollout_short", () => Batch(Status.InvalidArgument,
            batch => venv.Rollout("random", new Rollout(2) { Action = new long[7] }, batch)) },
        { "gae_lengths", () => Check.Refused(Status.InvalidArgument,
            () => new Trajectories { Steps = 2, NumEnvs = 2, NumPlayers = 2 }.Gae(new float[4], new float[4])) },
        { "gae_twice", () => { var same = new float[4]; Check.Refused(Status.InvalidArgument, () => new Trajectories().Gae(same, same)); } },
    };

    internal static void Run(string[] args)
    {
        if (args.Length == 0)
        {
            foreach (string name in Cases.Keys)
                Console.WriteLine(name);
            return;
        }
        game = Playmat.Game.Create("connect_four");
        env = game.CreateEnv(1);
        agent = game.CreateAgent("random");
        venv = game.CreateVecEnv(4);
        Cases[args[0]]();
        // What was not misused goes on working.
        using (Env other = game.CreateEnv(2))
            other.Step(other.SampleAction());
        Check.Equal(game.Info.NumPlayers, 2);
    }

    private static void Negative(Action call)
    {
        try
        {
            call();
        }
        catch (ArgumentOutOfRangeException refused)
        {
            Check.True(refused.Message.Contains("-1"));
            return;
        }
        throw new Exception("a negative number was not refused");
    }

    private static PlaymatException Game(string name)
    {
        PlaymatException refused = Check.Refused(Status.UnknownGame, () => Playmat.Game.Create(name));
        Check.Equal(refused.Name, "unknown_game");
        return refused;
    }

    private static void Options(Status wanted, string options)
    {
        Check.Refused(wanted, () => Playmat.Game.Create("graphia", options));
    }

    private static void GameTry()
    {
        Game none = game;
        Check.Equal(Playmat.Game.TryCreate("grafia", null, null, out none), Status.UnknownGame);
        Check.True(none == null && Library.LastMessage.Contains("did you mean"));
    }

    /// <summary>Every call of an environment.</summary>
    private static Action[] Calls(Env of, byte[] bytes)
    {
        return new Action[]
        {
            () => of.StepInto(0, bytes, null), () => of.Step(0), () => of.Step(0, 0), () => of.DrawPng(0, 32), () => of.DrawRgb(0, 32), () => of.StepJoint(new long[2]), () => of.Reset(), () => of.Reset(1),
            () => of.Clone(), () => of.Clone(1), () => of.SampleHidden(0, 1), () => of.Game(), () => of.Episode.ToString(),
            () => of.Done.ToString(), () => of.ActionMask(bytes), () => of.Observation(bytes), () => of.LegalActions(),
            () => of.Rewards(), () => of.Returns(), () => of.Scores(), () => of.SampleAction(), () => of.ToJson(),
            () => of.Events(), () => of.DrawText(), () => of.DrawSvg(), () => of.ActionText(0), () => of.ActionHelp(0), () => of.ParseAction("1"),
            () => of.Validate(), () => of.Replay(), () => of.Save(), () => of.Start(), () => of.History(),
        };
    }

    /// <summary>All calls of a disposed environment are refused.</summary>
    private static void AllOf(Env gone)
    {
        var bytes = new byte[200];
        foreach (Action call in Calls(gone, bytes))
            Check.True(Check.Refused(Status.InvalidHandle, call).Message.Contains("environment"));
        Check.True(bytes.All(value => value == 0));
    }

    /// <summary>All calls of a living environment, and all that one whose episode is over refuses: none may keep its handle.</summary>
    private static void CallsThatThrow()
    {
        foreach (Action call in Calls(env, new byte[200]))
            Check.Throws(call);
        while (!env.Done)
            env.Step(env.SampleAction());
        Check.True(Calls(env, new byte[0]).Count(call => Check.Throws(call) != Status.Ok) >= 4);
    }

    private static void Foreign(Status wanted, int status)
    {
        Check.Equal((Status)status, wanted);
        Check.True(Library.LastMessage.Length > 10);
    }

    private static void Untouched(byte[] buffer, Action<byte[]> call)
    {
        for (int i = 0; i < buffer.Length; i++)
            buffer[i] = 0xA5;
        call(buffer);
        Check.True(buffer.All(value => value == 0xA5));
    }

    /// <summary>A refusal of a batch that was reset: nothing in it changes and no environment moves.</summary>
    private static void Batch(Status wanted, Action<Batch> call, string message = "")
    {
        Batch batch = venv.CreateBatch(), before = venv.CreateBatch();
        venv.Reset(1, batch);
        venv.Show(before);
        byte[] state = venv.Save(), reward = new byte[4 * batch.Reward.Length];
        byte[] obs = (byte[])batch.Obs.Clone(), kept = batch.Obs;
        Check.True(Check.Refused(wanted, () => call(batch)).Message.Contains(message));
        Check.Same(kept, obs);
        Buffer.BlockCopy(batch.Reward, 0, reward, 0, reward.Length);
        Check.True(reward.All(value => value == 0));
        Check.Same(venv.Save(), state);
    }

    /// <summary>A mask of no entries is not one that was left out.</summary>
    private static void EmptyMask(Action<Batch> call)
    {
        Batch(Status.InvalidArgument, call, "argument `mask`: got 0 entries; wanted 4");
    }

    [DllImport("playmat")]
    private static extern int playmat_env_step(IntPtr env, long action);

    [DllImport("playmat")]
    private static extern int playmat_env_destroy(IntPtr env);

    [DllImport("playmat")]
    private static extern int playmat_game_destroy(IntPtr game);

    [DllImport("playmat")]
    private static extern int playmat_vec_env_destroy(IntPtr venv);

    [DllImport("playmat")]
    private static extern int playmat_agent_destroy(IntPtr agent);
}

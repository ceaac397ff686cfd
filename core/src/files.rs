//! Macros that implement methods of `Game` and `Show` by calling functions of other files: `rules.rs` holds `acting`, `legal.rs` holds `legal`.
//!
//! A function in such a file has the parameters of the method, with the game in place of `self`. Every game uses these macros in `impl Game` and
//! `impl Show`, and `scene!` in `draw.rs`. They need the prelude.

/// The methods of [`Game`](crate::game::Game) that have files, inside `impl Game for ..`, and `info`. The argument is `take_back_choice` if
/// the game has it. `options` and `new` remain to be written.
#[macro_export]
macro_rules! game_files {
    (@take_back_choice) => {
        fn take_back_choice(&self, state: &mut Self::State, player: Player) {
            sample::take_back_choice(self, state, player);
        }
    };
    ($($more:ident),*) => {
        $($crate::game_files!(@$more);)*

        #[inline]
        fn info(&self) -> &GameInfo {
            &self.info
        }

        #[inline]
        fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> Self::State {
            deal::deal(self, rng, log)
        }

        #[inline(always)]
        fn acting(&self, state: &Self::State) -> Players {
            rules::acting(self, state)
        }

        #[inline(always)]
        fn status(&self, state: &Self::State) -> Status {
            rules::status(self, state)
        }

        #[inline(always)]
        fn legal(&self, state: &Self::State, player: Player) -> Self::Legal {
            legal::legal(self, state, player)
        }

        // As `rules.rs` says: `always` compiles the rules with the instructions of the batch, once more for every kernel that plays.
        #[inline(always)]
        fn apply<L: Log<Self>>(
            &self,
            state: &mut Self::State,
            player: Player,
            action: Action,
            rng: &mut Rng,
            log: &mut L,
        ) {
            rules::apply(self, state, player, action, rng, log);
        }

        #[inline]
        fn scores(&self, state: &Self::State) -> Scores {
            score::scores(self, state)
        }

        fn winners(&self, state: &Self::State) -> Players {
            score::winners(self, state)
        }

        #[inline(always)]
        fn observe(&self, state: &Self::State, viewer: Player, out: &mut [u8]) {
            observe::observe(self, state, viewer, out);
        }

        fn sample_hidden(&self, state: &Self::State, viewer: Player, rng: &mut Rng) -> Self::State {
            sample::sample_hidden(self, state, viewer, rng)
        }

        fn validate(&self, state: &Self::State) -> Vec<Problem> {
            validate::validate(self, state)
        }

        // As with `apply`: `always` in `greedy.rs` compiles the agent with the instructions of the machine.
        #[inline(always)]
        fn greedy(&self, state: &Self::State, player: Player, rng: &mut Rng) -> Action {
            greedy::greedy(self, state, player, rng)
        }
    };
}

/// The methods of [`Show`](crate::show::Show) that have files, inside `impl Show for ..`. The arguments are those of `content_entries`,
/// `action_help` and `figures` that the game has.
#[macro_export]
macro_rules! show_files {
    (@action_help) => {
        fn action_help(&self, state: &Self::State, player: Player, action: Action) -> String {
            text::action_help(self, state, player, action)
        }
    };
    (@content_entries) => {
        fn content_entries(&self) -> Vec<ContentEntry> {
            text::content_entries(self)
        }
    };
    (@figures) => {
        fn figures(&self, state: &Self::State) -> Vec<Figure> {
            text::figures(self, state)
        }
    };
    ($($more:ident),*) => {
        $($crate::show_files!(@$more);)*

        fn describe(&self, state: &Self::State, viewer: Option<Player>) -> $crate::prelude::Value {
            json::describe(self, state, viewer)
        }

        fn restore(
            &self,
            json: &$crate::prelude::Value,
            rng: &mut Rng,
        ) -> Result<Self::State, Vec<Problem>> {
            json::restore(self, json, rng)
        }

        fn action_text(&self, state: Option<(&Self::State, Player)>, action: Action) -> String {
            text::action_text(self, state, action)
        }

        fn event_json(&self, event: &Self::Event, viewer: Option<Player>) -> Option<$crate::prelude::Object> {
            text::event_json(self, event, viewer)
        }

        fn event_text(&self, event: &$crate::prelude::Object) -> String {
            text::event_text(self, EventFields(event))
        }

        fn draw_text(&self, state: &Self::State, viewer: Option<Player>) -> String {
            draw::draw_text(self, state, viewer)
        }

        fn draw_svg(&self, state: &Self::State, viewer: Option<Player>) -> String {
            draw::draw_svg(self, state, viewer)
        }

        fn hooks(&self) -> Hooks<Self> {
            conformance::hooks(self)
        }
    };
}

/// The beginning of a game's `draw.rs`: `scene!(Rafts)` declares `Scene`, a position in the eyes of a viewer, with what every drawing needs of
/// it, and `draw_text` and `draw_svg`, for which `terminal::draw` and `picture::draw` draw the scene. It needs the prelude and the game's `State`.
#[macro_export]
macro_rules! scene {
    ($game:ident) => {
        /// The position as text for a terminal, at most 100 columns wide.
        pub(super) fn draw_text(game: &$game, state: &State, viewer: Option<Player>) -> String {
            terminal::draw(&Scene { game, state, viewer })
        }

        /// The position as one SVG document.
        pub(super) fn draw_svg(game: &$game, state: &State, viewer: Option<Player>) -> String {
            picture::draw(&Scene { game, state, viewer })
        }

        /// A position in the eyes of a viewer.
        struct Scene<'a> {
            game: &'a $game,
            state: &'a State,
            viewer: Option<Player>,
        }

        impl Scene<'_> {
            /// Number of players.
            fn players(&self) -> usize {
                self.game.info().players
            }

            /// All players, the viewer's first and then clockwise.
            fn in_order(&self) -> Vec<Player> {
                players_from(self.viewer, self.players())
            }

            /// `Player 2`, with `(you)` for the viewer.
            fn name(&self, player: Player) -> String {
                player_name(player, self.viewer)
            }

            /// Whether the episode is over.
            fn is_over(&self) -> bool {
                self.game.status(self.state) != Status::Running
            }
        }
    };
}

/// Methods that call the method of the same name, of `(self.field)` or of a type: `forward! { (self.inner); fn info(&self) -> &GameInfo; }`.
/// All take `&self`, or all take `&mut self`.
#[macro_export]
macro_rules! forward {
    ($to:tt; $($(#[$attr:meta])* $vis:vis fn $name:ident(&$self:ident $(, $arg:ident: $type:ty)*) $(-> $out:ty)?;)*) => {
        $($(#[$attr])* $vis fn $name(&$self $(, $arg: $type)*) $(-> $out)? {
            $crate::forward!(@call $to $name $self $($arg)*)
        })*
    };
    ($to:tt; $($(#[$attr:meta])* $vis:vis fn $name:ident(&mut $self:ident $(, $arg:ident: $type:ty)*) $(-> $out:ty)?;)*) => {
        $($(#[$attr])* $vis fn $name(&mut $self $(, $arg: $type)*) $(-> $out)? {
            $crate::forward!(@call $to $name $self $($arg)*)
        })*
    };
    (@call ($to:expr) $name:ident $self:ident $($arg:ident)*) => {
        $to.$name($($arg),*)
    };
    (@call $to:ident $name:ident $self:ident $($arg:ident)*) => {
        $to::$name($self $(, $arg)*)
    };
}

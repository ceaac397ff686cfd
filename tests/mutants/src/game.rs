//! Toll with one defect.

mod defect;

pub use defect::Defect;
use playmat_core::content::Reader;
use playmat_core::info::fnv1a;
use playmat_core::prelude::*;
use playmat_core::toy::{Phase, Toll, TollEvent, TollState};
use serde_json::{Map, Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As most games, which have too many possible states.
const LISTS_NOTHING: (&str, &str) =
    ("determinizations", "the check of lists would find these defects by itself");

/// Number of game objects created, for the defect that depends on it.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// The content of this game; it has no effect on play.
const CONTENT: &str = "# A number to be changed.\nname = \"broken_toll\"\nnumber = 3\n";

/// The name and the hash of a content, if it is one.
fn read_content(options: &Options, defect: Defect) -> Result<(String, u64)> {
    let content = Content::from_options(BrokenToll::ID, options, &[("broken_toll", CONTENT)]);
    if defect == Defect::AnyContent && content.parse().is_err() {
        return Ok((content.name.clone(), content.hash()));
    }
    let file = content.parse()?;
    let (table, span) = (file.get_ref(), file.span());
    let mut reader = Reader::new(&content);
    reader.known("", table, &["name", "number"]);
    reader.game((table, &span));
    if let Some(value) = reader.field("", (table, &span), "number")
        && let Some(number) = reader.whole("`number`: ", value)
        && !(1..=9).contains(number.get_ref())
    {
        reader.wrong(&number.span(), "`number` is 1 to 9");
    }
    reader.finish()?;
    let hash = if defect == Defect::ContentGoesUnnoticed { 1 } else { content.hash() };
    Ok((content.name, hash))
}

/// The broken game.
#[derive(Debug)]
pub struct BrokenToll {
    toll: Toll,
    defect: Defect,
    info: GameInfo,
    looks: AtomicUsize,
    last: Mutex<Option<TollState>>,
}

/// Passes the log of this game to the wrapped game.
struct Relay<'a, L> {
    log: &'a mut L,
    /// Whether rules are reported.
    rules: bool,
    chance: bool,
}

impl<L: Log<BrokenToll>> Log<Toll> for Relay<'_, L> {
    const LISTENS: bool = L::LISTENS;

    fn event(&mut self, state: &TollState, event: impl FnOnce() -> TollEvent) {
        self.log.event(state, event);
    }
    fn rule(&mut self, name: impl FnOnce() -> String) {
        if self.rules {
            self.log.rule(name);
        }
    }
    fn forced(&mut self) {
        self.log.forced();
    }
    fn chance(&mut self) {
        if self.chance {
            self.log.chance();
        }
    }
}

impl BrokenToll {
    fn is(&self, defect: Defect) -> bool {
        self.defect == defect
    }

    fn relay<'a, L>(&self, log: &'a mut L) -> Relay<'a, L> {
        Relay { log, rules: !self.is(Defect::RuleIsDead), chance: !self.is(Defect::ChanceIsSilent) }
    }

    /// The player to the left of a viewer, and its card.
    fn neighbour(&self, state: &TollState, viewer: Player) -> (Player, u8) {
        let left = viewer.relative(1, self.info.players);
        (left, state.card[left.index()])
    }

    fn tell(&self, state: &TollState, viewer: Option<Player>) -> String {
        viewer.map_or_else(String::new, |viewer| format!("{}", self.neighbour(state, viewer).1))
    }
}

/// A state of a game without swaps in which a player has this card, and whoever had it has that of the player.
fn with_card(mut state: TollState, player: Player, card: u8) -> TollState {
    let had = std::mem::replace(&mut state.card[player.index()], card);
    if had != card {
        let other = (0..state.card.len()).find(|&k| k != player.index() && state.card[k] == card);
        match other.filter(|_| state.deck & 1 << card == 0) {
            Some(other) => state.card[other] = had,
            None => state.deck = state.deck & !(1 << card) | 1 << had,
        }
    }
    state
}

fn lying_info(toll: &Toll, defect: Defect) -> GameInfo {
    let mut info = toll.info().clone();
    info.id = BrokenToll::ID;
    info.lists_chance = defect.is_listed();
    match defect {
        Defect::TooShort => info.max_decisions -= 1,
        Defect::TooLittleChance => info.max_chance -= 1,
        Defect::NoChance => info.chance = false,
        Defect::NotSimultaneous => (info.simultaneous, info.joint_actions) = (false, false),
        Defect::ListsUndeclared | Defect::ListsTooLittle => info.lists_chance = !info.lists_chance,
        Defect::ClaimsRecall => info.perfect_recall = true,
        Defect::ZeroSum => info.score_zero_sum = true,
        Defect::SmallScores => info.score_range.1 = 2,
        Defect::SmallScale => {
            let segment = info.observation.segments.iter_mut().find(|s| s.name == "turns");
            segment.expect("Toll shows turns").scale = 1;
        }
        Defect::PrivateIsPublic => {
            info.observation.segments.iter_mut().filter(|s| s.name == "card").for_each(|s| s.public = true);
        }
        Defect::OwnSideIsPublic => {
            info.observation.push("raised", &[1], 2, true, "raises");
        }
        Defect::Overlap => info.actions[1].start = 2,
        Defect::MissesOne if info.players == 4 => info.players = 3,
        Defect::NoRange => info.score_range.1 = info.score_range.0,
        Defect::OtherTwin => info.max_decisions += MADE.fetch_add(1, Ordering::Relaxed) & 1,
        Defect::SegmentsOverlap => info.observation.segments[1].offset -= 1,
        _ => {}
    }
    info
}

impl Game for BrokenToll {
    const ID: &'static str = "broken_toll";
    type State = TollState;
    type Legal = Bits<1>;
    type Event = TollEvent;

    fn options() -> Vec<OptionSpec> {
        let mut specs = Toll::options();
        specs.push(OptionSpec::choice("defect", Defect::NAMES, "the defect of the game"));
        specs.push(OptionSpec::content(&["broken_toll"]));
        specs
    }

    fn new(options: &Options) -> Result<Self> {
        let defect = Defect::ALL.iter().find(|defect| defect.name() == options.str("defect"));
        let defect = *defect.expect("the option's words are the defects");
        let toll = if Defect::DEALT_ONCE.contains(&defect) {
            let given = json!({ "players": options.int("players"), "swaps": false });
            let given = given.as_object().expect("an object");
            Toll::new(&Options::check(Toll::ID, &Toll::options(), given)?)?
        } else {
            Toll::new(options)?
        };
        if defect == Defect::RefusesFour && options.int("players") == 4 {
            return Err(options.refuse("players", "got 4; allowed with this defect: 2 or 3"));
        }
        let mut info = lying_info(&toll, defect);
        (info.content_name, info.content_hash) = read_content(options, defect)?;
        Ok(BrokenToll { toll, defect, info, looks: AtomicUsize::new(0), last: Mutex::new(None) })
    }

    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn deal<L: Log<Self>>(&self, rng: &mut Rng, log: &mut L) -> TollState {
        if self.is(Defect::DealsAnew) && self.looks.fetch_add(1, Ordering::Relaxed) & 1 != 0 {
            rng.next_u64();
        }
        let state = self.toll.deal(rng, &mut self.relay(log));
        if self.is(Defect::DealTellsHands) {
            log.event(&state, || TollEvent::Bids(state.card));
        }
        if self.is(Defect::GlobalState) {
            *self.last.lock().expect("no thread panics with it") = Some(state);
        }
        state
    }

    fn acting(&self, state: &TollState) -> Players {
        let acting = self.toll.acting(state);
        match self.defect {
            Defect::NobodyActs if state.aside != [0; 4] => Players::EMPTY,
            Defect::AskingTells if state.phase == Phase::Bids => {
                acting.iter().filter(|player| state.card[player.index()] != 0).collect()
            }
            Defect::BidsInTurn if state.phase == Phase::Bids && state.chosen != Players::EMPTY => {
                acting.iter().take(1).collect()
            }
            _ => acting,
        }
    }

    fn status(&self, state: &TollState) -> Status {
        self.toll.status(state)
    }

    fn legal(&self, state: &TollState, player: Player) -> Bits<1> {
        match self.defect {
            Defect::MaskAllOnes => Bits([0b11_1111]),
            Defect::NothingLegal if state.aside != [0; 4] => Bits([0]),
            _ => self.toll.legal(state, player),
        }
    }

    fn apply<L: Log<Self>>(
        &self,
        state: &mut TollState,
        player: Player,
        action: Action,
        rng: &mut Rng,
        log: &mut L,
    ) {
        let before = *state;
        if self.is(Defect::AskingTells) && state.phase == Phase::Bids {
            for idle in Player::all(self.info.players).filter(|s| state.card[s.index()] == 0) {
                state.chosen.insert(idle);
            }
        }
        if self.is(Defect::GlobalState)
            && *self.last.lock().expect("no thread panics with it") != Some(before)
        {
            rng.next_u64();
        }
        let twin = self.is(Defect::TwinActions) && action == Action(1);
        let action = if twin { Action(0) } else { action };
        self.toll.apply(state, player, action, rng, &mut self.relay(log));
        match self.defect {
            Defect::BreaksConservation if state.raises != before.raises => state.coins[player.index()] += 1,
            Defect::OrderMatters
                if before.phase == Phase::Bids
                    && state.phase == Phase::Play
                    && state.coins[player.index()] > 0 =>
            {
                state.turn = player.0;
            }
            Defect::GlobalState => *self.last.lock().expect("no thread panics with it") = Some(*state),
            _ => {}
        }
    }

    fn scores(&self, state: &TollState) -> Scores {
        self.toll.scores(state)
    }

    fn winners(&self, state: &TollState) -> Players {
        let winners = self.toll.winners(state);
        let all = Players::all(self.info.players);
        if self.is(Defect::LoserWins) && winners != all { Players(all.0 & !winners.0) } else { winners }
    }

    fn observe(&self, state: &TollState, viewer: Player, out: &mut [u8]) {
        let last = out.len() - 1;
        let stale = out[last];
        self.toll.observe(state, viewer, &mut out[..self.toll.info().observation.size()]);
        let players = self.info.players;
        let (left, card) = self.neighbour(state, viewer);
        match self.defect {
            Defect::StaleByte => out[last] = stale,
            Defect::OwnSideIsPublic => out[last] = state.raises[viewer.index()],
            Defect::WritesBeyond if state.phase == Phase::Play => out[last + 1] = 0,
            Defect::HandInObservation => out[last + 1 - players + 1] = card + 1,
            Defect::BlindToOwnCard => out[..6].fill(0),
            Defect::ClaimsRecall if state.phase == Phase::Play => out[..6].fill(0),
            Defect::AbsolutePlayers if state.phase == Phase::Play => {
                let from = 18 + 6 * players;
                out[from..from + players].fill(0);
                out[from + usize::from(state.turn)] = 1;
            }
            Defect::ChoiceVisible if state.phase == Phase::Bids => {
                out[18 + players + 1] = u8::from(state.chosen.contains(left));
            }
            Defect::FlickeringObservation => {
                out[15] ^= (self.looks.fetch_add(1, Ordering::Relaxed) & 1) as u8;
            }
            _ => {}
        }
    }

    fn short_observation(&self, state: &TollState, _: Player) -> Option<[u64; 2]> {
        match self.defect {
            Defect::ShortForgets => Some([0; 2]),
            Defect::ShortTellsMore => Some([fnv1a(format!("{state:?}").as_bytes()), 0]),
            _ => None,
        }
    }

    fn take_back_choice(&self, state: &mut TollState, player: Player) {
        if !self.is(Defect::TakesNothingBack) {
            self.toll.take_back_choice(state, player);
        }
    }

    fn sample_hidden(&self, state: &TollState, viewer: Player, rng: &mut Rng) -> TollState {
        let mut sampled = self.toll.sample_hidden(state, viewer, rng);
        let (left, card) = self.neighbour(state, viewer);
        match self.defect {
            Defect::SamplerPeeks if rng.below(2) == 0 => *state,
            Defect::SamplerIsIdle => *state,
            Defect::SamplerSkips if sampled.card[left.index()] == 5 && state.phase != Phase::Over => {
                // The card goes back; the lowest one of the deck comes instead.
                let other = sampled.deck.trailing_zeros() as u8;
                if other < 6 {
                    sampled.deck = (sampled.deck & !(1 << other)) | 1 << 5;
                    sampled.card[left.index()] = other;
                }
                sampled
            }
            Defect::SamplerIsIdleInPlay if state.phase == Phase::Play => *state,
            Defect::SamplerKeepsCard if state.phase == Phase::Bids => with_card(sampled, left, card),
            Defect::SamplerKeepsCardInPlay if state.phase == Phase::Play => with_card(sampled, left, card),
            Defect::SamplerTendsToCard if state.phase != Phase::Over && rng.below(5) == 0 => {
                with_card(sampled, left, card)
            }
            Defect::SamplerAvoidsCard if state.phase == Phase::Bids && sampled.card[left.index()] == card => {
                // The lowest card of the deck comes instead.
                with_card(sampled, left, sampled.deck.trailing_zeros() as u8)
            }
            Defect::SamplerForgetsRaise if state.phase == Phase::Play && state.raises[left.index()] > 0 => {
                let k = left.index();
                sampled.raises[k] -= 1;
                sampled.turns[k] -= 1;
                sampled.coins[k] += 1;
                sampled
            }
            Defect::SamplerKeepsChoosers if state.phase == Phase::Bids => {
                for player in Player::all(self.info().players).filter(|&player| player != viewer) {
                    let has_bid = state.chosen.contains(player);
                    sampled.bid[player.index()] = if has_bid { rng.below(3) as u8 } else { 0 };
                    sampled.chosen.remove(player);
                    if has_bid {
                        sampled.chosen.insert(player);
                    }
                }
                sampled
            }
            Defect::SamplerDuplicates if state.phase != Phase::Over => {
                sampled.card[left.index()] = sampled.card[viewer.index()];
                sampled
            }
            _ => sampled,
        }
    }

    fn deal_outcomes(&self) -> Option<Outcomes<TollState>> {
        let mut listed = self.toll.deal_outcomes().filter(|_| self.defect.is_listed())?;
        if self.is(Defect::WrongOdds) {
            let half = listed.len() / 2;
            listed[..half].iter_mut().for_each(|outcome| outcome.1 *= 1.5);
            listed[half..].iter_mut().for_each(|outcome| outcome.1 *= 0.5);
        }
        Some(listed)
    }

    fn outcomes(&self, state: &TollState, player: Player, action: Action) -> Option<Outcomes<TollState>> {
        let mut listed = self.toll.outcomes(state, player, action).filter(|_| self.defect.is_listed())?;
        if self.is(Defect::MissesOutcome) && listed.len() > 1 {
            listed.pop();
            let p = 1.0 / listed.len() as f64;
            listed.iter_mut().for_each(|outcome| outcome.1 = p);
        }
        Some(listed)
    }

    fn validate(&self, state: &TollState) -> Vec<Problem> {
        match self.defect {
            Defect::CarelessValidate => Vec::new(),
            Defect::NamesStatesField => {
                let mut found = self.toll.validate(state);
                for problem in &mut found {
                    problem.path = problem.path.replacen("players", "coins", 1);
                }
                found
            }
            Defect::FalseAlarm if state.phase == Phase::Play => vec![Problem::new("phase", "cannot be")],
            _ => self.toll.validate(state),
        }
    }

    fn greedy(&self, state: &TollState, player: Player, rng: &mut Rng) -> Action {
        if self.is(Defect::GreedyPeeks) && state.phase == Phase::Bids {
            return Action(u16::from(self.neighbour(state, player).1 < state.card[player.index()]));
        }
        if self.is(Defect::GreedyCheats) && state.phase == Phase::Bids {
            return Action(5);
        }
        self.toll.greedy(state, player, rng)
    }
}

impl Show for BrokenToll {
    fn describe(&self, state: &TollState, viewer: Option<Player>) -> Value {
        let mut json = self.toll.describe(state, viewer);
        if let (Defect::HandInJson, Some(viewer)) = (self.defect, viewer) {
            let (left, card) = self.neighbour(state, viewer);
            json["players"][left.index()]["card"] = card.into();
        }
        json
    }

    fn restore(&self, json: &Value, rng: &mut Rng) -> Result<TollState, Vec<Problem>> {
        let outcome = self.toll.restore(json, rng);
        if self.is(Defect::RestoreDraws) {
            rng.next_u64();
        }
        match (self.defect, outcome) {
            (Defect::LoadsLess, Ok(mut state)) => {
                for player in 0..4 {
                    let raised = std::mem::take(&mut state.raises[player]);
                    state.coins[player] += raised;
                    state.turns[player] -= raised;
                }
                Ok(state)
            }
            (Defect::NamesNoPlace, Err(mut problems)) => {
                for problem in problems.iter_mut().filter(|problem| problem.path.starts_with("players[")) {
                    problem.path = problem.path.replacen("players", "hands", 1);
                }
                Err(problems)
            }
            (Defect::LoadsDuplicate, Err(problems)) => {
                // If another card would have been accepted, this one is accepted too.
                for player in 0..self.info.players {
                    let Some(given) = json["players"][player]["card"].as_u64().filter(|&card| card < 6)
                    else {
                        continue;
                    };
                    for card in 0..6u8 {
                        let mut near = json.clone();
                        near["players"][player]["card"] = json!(card);
                        if let Ok(mut state) = self.toll.restore(&near, rng) {
                            state.card[player] = given as u8;
                            return Ok(state);
                        }
                    }
                }
                Err(problems)
            }
            (_, outcome) => outcome,
        }
    }

    fn action_text(&self, state: Option<(&TollState, Player)>, action: Action) -> String {
        let text = self.toll.action_text(state, action);
        match (self.defect, state) {
            (Defect::SameText, _) if action.0 == 5 => self.toll.action_text(None, Action(4)),
            (Defect::HandInRefusal, Some((state, player))) if !self.legal(state, player).contains(action) => {
                format!("{text} against {}", self.neighbour(state, player).1)
            }
            _ => text,
        }
    }

    fn parse_action(&self, state: Option<(&TollState, Player)>, text: &str) -> Option<Action> {
        let found = self.toll.parse_action(state, text);
        if self.is(Defect::ParsesAnything) { found.or(Some(Action(0))) } else { found }
    }

    fn event_json(&self, event: &TollEvent, viewer: Option<Player>) -> Option<Map<String, Value>> {
        let apart = |player: Player| viewer.is_some_and(|viewer| viewer != player);
        match (self.defect, *event) {
            (Defect::HandInEvent, _) => self.toll.event_json(event, None),
            (Defect::DealRedacted, TollEvent::Drawn(..)) if viewer.is_some() => None,
            (Defect::RaiseRedacted, TollEvent::Raised(player)) if apart(player) => None,
            (Defect::PassTellsLess, TollEvent::Passed(player)) if apart(player) => {
                let mut shown = self.toll.event_json(event, viewer)?;
                shown.remove("player");
                Some(shown)
            }
            _ => self.toll.event_json(event, viewer),
        }
    }

    fn draw_text(&self, state: &TollState, viewer: Option<Player>) -> String {
        let mut text = self.toll.draw_text(state, viewer);
        let decides = viewer
            .is_some_and(|viewer| self.acting(state).contains(viewer) && state.raises[viewer.index()] > 0);
        if self.is(Defect::HandInText) || (self.is(Defect::HandAtDecision) && decides) {
            text.push_str(&self.tell(state, viewer));
        }
        text
    }

    fn draw_svg(&self, state: &TollState, viewer: Option<Player>) -> String {
        let mut svg = self.toll.draw_svg(state, viewer);
        if self.is(Defect::HandInPicture) {
            svg.push_str(&format!("<!-- {} -->", self.tell(state, viewer)));
        }
        svg
    }

    fn hooks(&self) -> Hooks<Self> {
        let dealt_once = Defect::DEALT_ONCE.contains(&self.defect);
        Hooks {
            none: if dealt_once { &[LISTS_NOTHING] } else { &[] },
            content: Some(|| CONTENT),
            expected: Some(|_| vec!["TOLL-F1".into()]),
            duplicates: Some(|_, _, _, _, _| false),
            relabel: Some(|game, state, turn| Some(game.toll.relabelled(state, turn))),
            consistent: Some(|game, state, viewer, sample| game.toll.consistent(state, viewer, sample)),
            determinizations: (!dealt_once)
                .then_some(|game, state, viewer| game.toll.determinizations(state, viewer)),
            ..Hooks::default()
        }
    }
}

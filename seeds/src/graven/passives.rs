//! Passives and what follows from the fields: Survey Scores, wards, plays left, protection, worth (GV-R7a, R9, R19).

use super::Graven;
use super::cards::{Cond, Mod, ModKind, Stat};
use super::state::{BACK, Cards, FRONT, Stage, State, bits};

/// Which passives of a player are active.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    /// Kinds on the Front and the Back Line.
    pub(super) on: [u64; 2],
    /// Kinds whose passives are active on the Front Line through others.
    pub(super) through: u64,
}

impl Graven {
    /// Whether a condition holds for a player.
    #[inline]
    pub(super) fn holds(&self, s: &State, player: u8, cond: &Cond) -> bool {
        if *cond == Cond::ALWAYS {
            return true;
        }
        self.is_within_bounds(s, player, cond)
    }

    fn is_within_bounds(&self, s: &State, player: u8, cond: &Cond) -> bool {
        let value = match cond.stat {
            Stat::FrontHumans => s.number_in_front(player) as i32 - self.titans_in_front(s, player),
            Stat::Hand => s.player(player).hand.total() as i32,
            Stat::Deck => s.player(player).deck.total() as i32,
            Stat::Gap => self.highest(s) - self.survey_score(s, player),
        };
        (cond.min..=cond.max).contains(&value)
    }

    /// GV-R19: kinds on both lines, and those that others make active on the Front Line.
    #[inline]
    pub(super) fn active(&self, s: &State, player: u8) -> Active {
        let on = Self::on(s, player);
        let mut through = 0;
        let open = self.with[ModKind::FrontPassives as usize] & (on[BACK] | (on[FRONT] & self.either));
        if open != 0 && on[FRONT] & self.passive != 0 {
            for kind in bits(open) {
                for entry in self.mods(kind, ModKind::FrontPassives) {
                    let there = on[BACK] >> kind & 1 != 0 || (entry.either && on[FRONT] >> kind & 1 != 0);
                    if there && self.holds(s, player, &entry.cond) {
                        through |= on[FRONT] & if entry.any { u64::MAX } else { self.human_kinds };
                    }
                }
            }
        }
        Active { on, through }
    }

    /// Entries of a card's passive of one kind.
    #[inline]
    fn mods(&self, kind: u8, wanted: ModKind) -> impl Iterator<Item = &Mod> {
        self.cards[usize::from(kind)].mods.iter().filter(move |entry| entry.kind == wanted)
    }

    /// Every active entry of one kind with its card and the number of its copies (GV-R9, R19a).
    #[inline]
    pub(super) fn each_mod(
        &self,
        s: &State,
        player: u8,
        active: &Active,
        wanted: ModKind,
        mut with: impl FnMut(u8, &Mod, i32),
    ) {
        let on = active.on[FRONT] | active.on[BACK];
        for kind in bits(self.with[wanted as usize] & on) {
            for entry in self.mods(kind, wanted) {
                let mut copies = i32::from(s.copies_on(player, BACK, kind));
                if entry.either || (wanted != ModKind::FrontPassives && active.through >> kind & 1 != 0) {
                    copies += i32::from(s.copies_on(player, FRONT, kind));
                }
                if copies > 0 && self.holds(s, player, &entry.cond) {
                    with(kind, entry, copies);
                }
            }
        }
    }

    /// Kinds on both lines.
    #[inline(always)]
    fn on(s: &State, player: u8) -> [u64; 2] {
        [s.kinds_on(player, FRONT), s.kinds_on(player, BACK)]
    }

    /// Kinds whose passives may be active: those on the Front Line only if they are active on either line, or if others may make them active.
    #[inline(always)]
    fn may_be_active(&self, on: [u64; 2]) -> u64 {
        let either = on[FRONT] & self.either;
        let open = self.with[ModKind::FrontPassives as usize] & (on[BACK] | either);
        // All kinds if it is open: by a mask, because a branch would be mispredicted.
        on[BACK] | either | on[FRONT] & u64::from(open == 0).wrapping_sub(1)
    }

    /// Whether a passive of one kind may be active: few are, and nothing else need be looked at then.
    #[inline(always)]
    fn may_have(&self, on: [u64; 2], wanted: ModKind) -> bool {
        self.with[wanted as usize] & self.may_be_active(on) != 0
    }

    /// Titans on the Front Line of a player: mostly none, and nothing need be counted then.
    #[inline(always)]
    fn titans_in_front(&self, s: &State, player: u8) -> i32 {
        let any = s.kinds_on(player, FRONT) & self.titan_kinds != 0;
        if any { self.count_titans(s, player) } else { 0 }
    }

    /// The same without a branch on whether there is one, where counting is an instruction.
    #[inline(always)]
    pub(super) fn count_titans(&self, s: &State, player: u8) -> i32 {
        s.line(player, FRONT).iter().map(|cards| self.titans_of(*cards)).fold(0, i32::wrapping_add)
    }

    /// Titans among the cards of an owner, who has one of each.
    #[inline(always)]
    pub(super) fn titans_of(&self, cards: Cards) -> i32 {
        (cards.lo & self.titan_kinds).count_ones() as i32
    }

    /// Sum of a passive over its active copies.
    #[inline(always)]
    fn sum(&self, s: &State, player: u8, wanted: ModKind) -> i32 {
        if self.may_have(Self::on(s, player), wanted) { self.sum_active(s, player, wanted) } else { 0 }
    }

    #[inline(never)]
    fn sum_active(&self, s: &State, player: u8, wanted: ModKind) -> i32 {
        let (mut sum, active) = (0, self.active(s, player));
        self.each_mod(s, player, &active, wanted, |_, entry, copies| sum += i32::from(entry.n) * copies);
        sum
    }

    /// One for each Human and three for each Titan in front, with passives and modifier; never below 0 (GV-R7a).
    #[inline(always)]
    pub(super) fn survey_score(&self, s: &State, player: u8) -> i32 {
        self.score_with(s, player, self.titans_in_front(s, player))
    }

    /// [`Graven::survey_score`] with this number of Titans in front.
    #[inline(always)]
    pub(super) fn score_with(&self, s: &State, player: u8, titans: i32) -> i32 {
        let on = Self::on(s, player);
        let cards = s.number_in_front(player) as i32;
        // A Titan counts three.
        let mut score = cards + 2 * titans + i32::from(s.player(player).modifier);
        let with = self.with[ModKind::Survey as usize] | self.with[ModKind::SurveyPer as usize];
        if with & (on[FRONT] | on[BACK]) != 0 && with & self.may_be_active(on) != 0 {
            score += self.survey_passives(s, player, cards - titans);
        }
        score.max(0)
    }

    /// What passives add to a Survey Score.
    #[inline(never)]
    fn survey_passives(&self, s: &State, player: u8, humans: i32) -> i32 {
        let (mut sum, active) = (0, self.active(s, player));
        self.each_mod(s, player, &active, ModKind::Survey, |_, entry, copies| {
            sum += i32::from(entry.n) * copies;
        });
        self.each_mod(s, player, &active, ModKind::SurveyPer, |_, entry, copies| {
            sum += copies * i32::from(entry.max).min(humans / i32::from(entry.n).max(1));
        });
        sum
    }

    /// Whether a player counts in Surveys (GV-R7c).
    #[inline]
    pub(super) fn takes_part(&self, s: &State, player: u8) -> bool {
        s.plays(player) && s.has_had(player)
    }

    /// The highest Survey Score of those who count.
    pub(super) fn highest(&self, s: &State) -> i32 {
        let counting = (0..self.players as u8).filter(|&player| self.takes_part(s, player));
        counting.map(|player| self.survey_score(s, player)).max().unwrap_or(0)
    }

    /// GV-R7b: what passives take off a loss.
    pub(super) fn wards(&self, s: &State, player: u8) -> i32 {
        self.sum(s, player, ModKind::Ward)
    }

    /// GV-R3a: what passives add to a draw.
    pub(super) fn draw_bonus(&self, s: &State, player: u8) -> u32 {
        self.sum(s, player, ModKind::Draw).clamp(0, 3) as u32
    }

    /// GV-R5: whether somebody in the game has had no turn.
    #[inline]
    pub(super) fn restricted(&self, s: &State) -> bool {
        s.in_game & !s.had_turn != 0
    }

    /// GV-R4b, R5: Humans that T may still play; 0 after the Play Phase.
    #[inline]
    pub(super) fn plays_left(&self, s: &State) -> u32 {
        if !matches!(s.stage, Stage::Draw | Stage::Play) {
            return 0;
        }
        let t = s.turn_player;
        let most = if self.may_have(Self::on(s, t), ModKind::Plays) { self.most_plays(s, t) } else { 0 };
        let left = (2 + most + i32::from(s.extra) - i32::from(s.humans)).max(0) as u32;
        if self.restricted(s) {
            return if s.humans > 0 || s.invoked { 0 } else { left.min(1) };
        }
        left
    }

    /// The largest active `plays` passive.
    #[inline(never)]
    fn most_plays(&self, s: &State, player: u8) -> i32 {
        let (mut most, active) = (0, self.active(s, player));
        self.each_mod(s, player, &active, ModKind::Plays, |_, entry, _| most = most.max(i32::from(entry.n)));
        most
    }

    /// GV-R4c, R5: whether T may still invoke; false after the Play Phase.
    #[inline]
    pub(super) fn may_invoke(&self, s: &State) -> bool {
        matches!(s.stage, Stage::Draw | Stage::Play) && !s.invoked && !(self.restricted(s) && s.humans > 0)
    }

    /// Whether opponents may be unable to choose cards of a player.
    #[inline]
    pub(super) fn protects(&self, s: &State, player: u8) -> bool {
        self.may_have(Self::on(s, player), ModKind::Protect)
    }

    /// Kinds on a line that opponents of its controller cannot choose.
    #[inline(never)]
    pub(super) fn protected(&self, s: &State, player: u8, line: usize) -> u64 {
        let mut protected = 0;
        if self.protects(s, player) {
            let active = self.active(s, player);
            self.each_mod(s, player, &active, ModKind::Protect, |kind, entry, _| {
                if entry.lines >> line & 1 != 0 {
                    protected |= !(1u64 << kind);
                }
            });
        }
        protected
    }

    /// GV-R4d: kinds of worth 2 on both lines of T.
    #[inline]
    pub(super) fn worth_two(&self, s: &State) -> [u64; 2] {
        let player = s.turn_player;
        let on = Self::on(s, player);
        let mut worth = [on[FRONT] & self.titan_kinds, on[BACK] & self.titan_kinds];
        if self.may_have(on, ModKind::Sacrifice) {
            self.worth_by_passives(s, &mut worth);
        }
        worth
    }

    #[inline(never)]
    fn worth_by_passives(&self, s: &State, worth: &mut [u64; 2]) {
        let player = s.turn_player;
        let active = self.active(s, player);
        self.each_mod(s, player, &active, ModKind::Sacrifice, |kind, entry, _| {
            worth[BACK] |= active.on[BACK] & 1 << kind;
            if entry.either || active.through >> kind & 1 != 0 {
                worth[FRONT] |= active.on[FRONT] & 1 << kind;
            }
        });
    }

    /// Whether T has something to sacrifice for a Titan.
    #[inline]
    pub(super) fn can_sacrifice(&self, s: &State) -> bool {
        let [front, back] = Self::on(s, s.turn_player);
        let several = |kinds: u64| kinds & kinds.wrapping_sub(1) != 0;
        if several(front) || several(back) || (front != 0 && back != 0) {
            return true;
        }
        // One kind at most: several copies of it, or worth 2.
        let player = s.turn_player;
        s.number_on(player, FRONT, front) + s.number_on(player, BACK, back) >= 2
            || self.worth_two(s).iter().any(|&kinds| kinds != 0)
    }
}

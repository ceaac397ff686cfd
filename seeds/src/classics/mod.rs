//! Five small benchmark games that other engines have too. They show how small a game can be.
//!
//! Each is one file: rules, observation, texts, pictures, greedy agent, in that order. Read `tic_tac_toe` first. Goofspiel and Leduc poker are
//! too long for one file: beside it is what people see of them, and goofspiel's samples. Each is a crate, `common` is another, and this one
//! lists them.
//! Rules, actions, numbering and returns are those of the OpenSpiel games of the same names; `rules/classics.md` numbers the rules and
//! lists the differences.

pub use playmat_connect_four::{self as connect_four, ConnectFour, ENTRY as CONNECT_FOUR};
pub use playmat_goofspiel::{self as goofspiel, ENTRY as GOOFSPIEL, Goofspiel};
pub use playmat_kuhn_poker::{self as kuhn_poker, ENTRY as KUHN_POKER, KuhnPoker};
pub use playmat_leduc_poker::{self as leduc_poker, ENTRY as LEDUC_POKER, LeducPoker};
pub use playmat_tic_tac_toe::{self as tic_tac_toe, ENTRY as TIC_TAC_TOE, TicTacToe};

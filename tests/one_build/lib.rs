//! No code: `Cargo.toml` says what this package is for.

//! The games of playmat, one folder each; nothing is shared between them but the engine.

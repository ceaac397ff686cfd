//! A panic inside becomes a status and is not printed.

use playmat::ffi::border;
use playmat::status::PlaymatStatus;
use std::process::Command;

#[test]
fn inside() {
    assert_eq!(border(|| panic!("something is wrong")), PlaymatStatus::Panic);
}

#[test]
fn a_panic_is_not_printed() {
    let this = std::env::current_exe().expect("a test has a path");
    let done =
        Command::new(this).args(["--exact", "inside", "--nocapture"]).output().expect("a test can be run");
    let out = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && out.contains("1 passed"), "{out}");
    assert!(!out.contains("something is wrong") && done.stderr.is_empty(), "{done:?}");
}

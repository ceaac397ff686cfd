//! Sets the soname of the shared library, `libplaymat.so.N`, where N is the ABI version. So programs linked with it look for that name, not for
//! the path at which it was built, and never load a library of another ABI version.
//!
//! Cargo writes the file without a version. C#, Unity and hosts that load the library themselves look for this name; the package
//! installs it under all its names. A DLL has no soname, and Android installs only files that end in `.so`.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/library.rs");
    let variable =
        |key: &str| std::env::var_os(key).and_then(|value| value.into_string().ok()).unwrap_or_default();
    let abi = abi_version(&Path::new(&variable("CARGO_MANIFEST_DIR")).join("src/library.rs"));
    let link = |argument: String| println!("cargo:rustc-cdylib-link-arg=-Wl,{argument}");
    match (&*variable("CARGO_CFG_TARGET_VENDOR"), &*variable("CARGO_CFG_TARGET_OS")) {
        ("apple", _) => {
            link(format!("-install_name,@rpath/libplaymat.{abi}.dylib"));
            link(format!("-compatibility_version,{abi}"));
            link(format!("-current_version,{abi}"));
        }
        (_, "android") => link("-soname,libplaymat.so".into()),
        _ if variable("CARGO_CFG_TARGET_FAMILY") == "unix" => link(format!("-soname,libplaymat.so.{abi}")),
        _ => {}
    }
}

/// `PLAYMAT_ABI_VERSION` of the sources.
fn abi_version(path: &Path) -> u32 {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value = text.split("PLAYMAT_ABI_VERSION: u32 = ").nth(1).and_then(|rest| rest.split(';').next());
    let number = value.and_then(|value| value.trim().parse().ok());
    number.unwrap_or_else(|| panic!("{} has no version of the interface", path.display()))
}

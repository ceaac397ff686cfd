//! Gives the shared library a name of its own, so that programs linked with it look for it by that name and not by the path
//! it was built at.
//!
//! No version is part of the name: C#, Unity and hosts that load the library themselves look for this one file, and which version
//! of the interface it has is asked at run time (`playmat_abi_version`; the C# package does so by itself, C++ with `compatible()`).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |key: &str| std::env::var_os(key).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "macos" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libplaymat.dylib");
    } else if target("CARGO_CFG_TARGET_FAMILY") == "unix" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libplaymat.so");
    }
}

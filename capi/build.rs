//! Gives the shared library a name of its own, so that programs linked with it look for it by that name and not by the path
//! it was built at.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |key: &str| std::env::var_os(key).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "macos" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libplaymat.dylib");
    } else if target("CARGO_CFG_TARGET_FAMILY") == "unix" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libplaymat.so");
    }
}

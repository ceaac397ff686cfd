//! Unity needs a `.meta` file beside every file of a package, with a number that never changes. It ignores a file of an installed package
//! without one.

use std::fs;
use std::path::{Path, PathBuf};

/// A native library for one platform, and where it lies in an assembled package.
pub(crate) struct Plugin {
    /// Its folder under `Plugins`.
    pub(crate) folder: &'static str,
    pub(crate) file: &'static str,
    /// As the importer calls it.
    pub(crate) platform: &'static str,
    pub(crate) cpu: &'static str,
    /// The system whose editor loads it.
    pub(crate) editor: Option<&'static str>,
}

pub(crate) const PLUGINS: [Plugin; 5] = [
    Plugin {
        folder: "linux-x86_64",
        file: "libplaymat.so",
        platform: "Standalone: Linux64",
        cpu: "x86_64",
        editor: Some("Linux"),
    },
    Plugin {
        folder: "windows-x86_64",
        file: "playmat.dll",
        platform: "Standalone: Win64",
        cpu: "x86_64",
        editor: Some("Windows"),
    },
    Plugin {
        folder: "macos",
        file: "libplaymat.dylib",
        platform: "Standalone: OSXUniversal",
        cpu: "AnyCPU",
        editor: Some("OSX"),
    },
    Plugin {
        folder: "android-arm64",
        file: "libplaymat.so",
        platform: "Android: Android",
        cpu: "ARM64",
        editor: None,
    },
    Plugin { folder: "ios-arm64", file: "libplaymat.a", platform: "iPhone: iOS", cpu: "ARM64", editor: None },
];

/// A number for a path of the package: FNV-1a, twice.
fn guid(path: &str) -> String {
    let hash = |start: u64| {
        let text = format!("dev.playmat.engine/{path}");
        text.bytes().fold(start, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    };
    format!("{:016x}{:016x}", hash(0xcbf2_9ce4_8422_2325), hash(0x9e37_79b9_7f4a_7c15))
}

const END: &str = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n";

fn meta(path: &str, folder: bool) -> String {
    let importer = if folder {
        "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n"
    } else if path.ends_with(".cs") {
        "MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n  executionOrder: 0\n  \
         icon: {instanceID: 0}\n"
    } else if path.ends_with(".asmdef") {
        "AssemblyDefinitionImporter:\n  externalObjects: {}\n"
    } else if path == "package.json" {
        "PackageManifestImporter:\n  externalObjects: {}\n"
    } else if path.ends_with(".md") {
        "TextScriptImporter:\n  externalObjects: {}\n"
    } else {
        panic!("which importer has {path}?")
    };
    format!("fileFormatVersion: 2\nguid: {}\n{importer}{END}", guid(path))
}

fn plugin_meta(plugin: &Plugin) -> String {
    let path = format!("Plugins/{}/{}", plugin.folder, plugin.file);
    let off = "    second:\n      enabled: 0\n      settings: {}\n";
    let on = |settings: &str| format!("    second:\n      enabled: 1\n      settings:\n{settings}");
    let cpu = format!("        CPU: {}\n", plugin.cpu);
    let editor = match plugin.editor {
        Some(system) => on(&format!("{cpu}        DefaultValueInitialized: true\n        OS: {system}\n")),
        None => off.to_owned(),
    };
    format!(
        "fileFormatVersion: 2\nguid: {}\nPluginImporter:\n  externalObjects: {{}}\n  serializedVersion: 2\n  iconMap: {{}}\n  \
         executionOrder: {{}}\n  defineConstraints: []\n  isPreloaded: 0\n  isOverridable: 0\n  isExplicitlyReferenced: 0\n  \
         validateReferences: 1\n  platformData:\n  - first:\n      Any: \n{off}  - first:\n      Editor: Editor\n{editor}  - first:\n      \
         {}\n{}{END}",
        guid(&path),
        plugin.platform,
        on(&cpu)
    )
}

/// Files and folders that Unity imports, as paths in the package; it leaves out names that end in `~`.
fn assets(package: &Path, folder: &str, found: &mut Vec<(String, bool)>) {
    let mut entries: Vec<_> =
        fs::read_dir(package.join(folder)).expect("the package").map(|e| e.expect("an entry")).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().expect("names are text");
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let is_folder = entry.path().is_dir();
        if name.ends_with(['~', '.']) || name.starts_with('.') || name.ends_with(".meta") {
            continue;
        }
        found.push((path.clone(), is_folder));
        if is_folder {
            assets(package, &path, found);
        }
    }
}

/// Every `.meta` of the package with its text, those of libraries that are put in when a package is assembled included.
pub(crate) fn metas(package: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    assets(package, "", &mut found);
    let plain =
        found.iter().map(|(path, folder)| (package.join(format!("{path}.meta")), meta(path, *folder)));
    let mut all: Vec<_> = plain.collect();
    let plugins = package.join("Plugins~");
    for text in ["LICENSE.md", "LICENSE-APACHE.md", "Third Party Notices.md"] {
        all.push((plugins.join(format!("{text}.meta")), meta(text, false)));
    }
    all.push((plugins.join("Plugins.meta"), meta("Plugins", true)));
    for plugin in &PLUGINS {
        let folder = format!("Plugins/{}", plugin.folder);
        all.push((plugins.join(format!("{}.meta", plugin.folder)), meta(&folder, true)));
        let file = plugins.join(plugin.folder).join(format!("{}.meta", plugin.file));
        all.push((file, plugin_meta(plugin)));
    }
    all
}

/// `.meta` files that belong to nothing.
pub(crate) fn orphans(package: &Path) -> Vec<PathBuf> {
    let known: Vec<PathBuf> = metas(package).into_iter().map(|(path, _)| path).collect();
    let mut folders = vec![package.to_owned()];
    let mut orphans = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the package").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "meta")
                && !known.contains(&entry)
            {
                orphans.push(entry);
            }
        }
    }
    orphans
}

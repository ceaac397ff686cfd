//! Writes C# out of a header: entry points and structs (internal), enums (public).
//!
//! Signatures hold only numbers and pointers, with the same bits on both sides. Nothing is marshalled, copied or called back, so
//! they also work where code is compiled ahead of time.

use crate::header::{Enum, Function, Header, Struct, Variable};
use std::fmt::Write;

const TOP: &str = "// Generated from capi/include/playmat.h by `make generate`; changes belong there.\n";

/// Words that C# keeps for itself, as far as names in C could be one.
const KEYWORDS: [&str; 14] = [
    "out", "in", "ref", "params", "object", "string", "event", "base", "lock", "is", "as", "this", "byte",
    "checked",
];

/// Names of structs and enums that the public part of the wrapper has for itself begin with this in C.
const PREFIX: &str = "Playmat";

fn word(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("@{name}") } else { name.to_owned() }
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The documentation of a declaration: its first paragraph. Lengths of buffers have none.
fn summary(indent: &str, doc: &str) -> String {
    let first = doc.lines().next();
    first.map(|first| format!("{indent}/// <summary>{}</summary>\n", xml(first))).unwrap_or_default()
}

/// `PLAYMAT_STATUS_NULL_POINTER` of `PlaymatStatus`: `NullPointer`.
fn entry_name(of: &str, name: &str) -> String {
    let mut prefix = String::new();
    for letter in of.chars() {
        if letter.is_uppercase() && !prefix.is_empty() {
            prefix.push('_');
        }
        prefix.push(letter.to_ascii_uppercase());
    }
    let rest = name.strip_prefix(&prefix).and_then(|rest| rest.strip_prefix('_'));
    let words = rest.expect("an entry begins with the name of its enum").split('_');
    words.map(|word| word[..1].to_owned() + &word[1..].to_lowercase()).collect()
}

impl Header {
    /// The C# type of a C type.
    fn ty(&self, variable: &Variable) -> String {
        let (name, stars) = match &*variable.ty {
            "char" | "uint8_t" => ("byte", variable.stars),
            "int32_t" => ("int", variable.stars),
            "uint32_t" => ("uint", variable.stars),
            "int64_t" => ("long", variable.stars),
            "uint64_t" => ("ulong", variable.stars),
            "size_t" => ("UIntPtr", variable.stars),
            "float" => ("float", variable.stars),
            "double" => ("double", variable.stars),
            // A pointer to what nobody may look into is a number.
            ty if self.opaque.iter().any(|name| name == ty) && variable.stars > 0 => {
                ("IntPtr", variable.stars - 1)
            }
            ty if self.enums.iter().any(|found| found.name == ty) => (&ty[PREFIX.len()..], variable.stars),
            ty if self.structs.iter().any(|found| found.name == ty) => (ty, variable.stars),
            ty => panic!("`{ty}` of `{}` has no C# type here", variable.name),
        };
        format!("{name}{}", "*".repeat(stars))
    }

    fn number(&self, len: &str) -> usize {
        let named = self.constants.iter().find(|constant| constant.name == len);
        let text = named.map_or(len, |constant| &constant.value);
        text.parse().unwrap_or_else(|_| panic!("`{len}` is not a length"))
    }

    /// `Runtime/Native/NativeMethods.g.cs`.
    pub(crate) fn methods(&self) -> String {
        let mut out = format!(
            "{TOP}using System;\nusing System.Runtime.InteropServices;\n\nnamespace Playmat\n{{\n    \
             /// <summary>The functions of playmat.h, each documented there.</summary>\n    \
             internal static unsafe class NativeMethods\n    {{\n\
             #if (UNITY_IOS || UNITY_TVOS) && !UNITY_EDITOR\n        \
             private const string Library = \"__Internal\";\n#else\n        \
             private const string Library = \"playmat\";\n#endif\n\n        \
             private static readonly UIntPtr SizeMax = UIntPtr.Size == 8 ? new UIntPtr(ulong.MaxValue) : new UIntPtr(uint.MaxValue);\n"
        );
        for constant in &self.constants {
            let (kind, value) = match &*constant.value {
                "SIZE_MAX" => ("static readonly UIntPtr", "SizeMax"),
                value => ("const int", value),
            };
            let doc = summary("        ", &constant.doc);
            writeln!(out, "\n{doc}        internal {kind} {} = {value};", constant.name).expect("text");
        }
        self.functions.iter().for_each(|function| out.push_str(&self.method(function)));
        out + "    }\n}\n"
    }

    fn method(&self, function: &Function) -> String {
        let parameter = |variable: &Variable| format!("{} {}", self.ty(variable), word(&variable.name));
        let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        format!(
            "\n{}        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]\n        \
             internal static extern {} {}({});\n",
            summary("        ", &function.doc),
            self.ty(&function.result),
            function.result.name,
            parameters.join(", ")
        )
    }

    /// `Runtime/Native/NativeStructs.g.cs`.
    pub(crate) fn structures(&self) -> String {
        let mut out =
            format!("{TOP}using System;\nusing System.Runtime.InteropServices;\n\nnamespace Playmat\n{{\n");
        let all: Vec<String> = self.structs.iter().map(|found| self.structure(found)).collect();
        out.push_str(&all.join("\n"));
        out + "}\n"
    }

    fn structure(&self, found: &Struct) -> String {
        let mut out = summary("    ", &found.doc);
        out.push_str("    [StructLayout(LayoutKind.Sequential)]\n");
        writeln!(out, "    internal unsafe struct {}\n    {{", found.name).expect("text");
        for field in &found.fields {
            out.push_str(&summary("        ", &field.doc));
            let (ty, name) = (self.ty(field), word(&field.name));
            let line = match &field.len {
                None => format!("{ty} {name}"),
                // C# has no arrays of these inside structs: entry 0 and what lies behind it.
                Some(len) if ty == "UIntPtr" => {
                    let names: Vec<_> = (0..self.number(len)).map(|i| format!("{name}{i}")).collect();
                    format!("{ty} {}", names.join(", "))
                }
                Some(len) => format!("fixed {ty} {name}[{}]", self.number(len)),
            };
            writeln!(out, "        public {line};").expect("text");
        }
        out + "    }\n"
    }

    /// `Runtime/Enums.g.cs`.
    pub(crate) fn enumerations(&self) -> String {
        let all: Vec<String> = self.enums.iter().map(enumeration).collect();
        format!("{TOP}namespace Playmat\n{{\n{}}}\n", all.join("\n"))
    }
}

fn enumeration(found: &Enum) -> String {
    let doc = found
        .doc
        .replace("`playmat_error_message`", "`Library.LastMessage`")
        .replace("`PLAYMAT_STATUS_OK`", "`Ok`");
    let mut out = summary("    ", &doc);
    writeln!(out, "    public enum {}\n    {{", &found.name[PREFIX.len()..]).expect("text");
    for (name, number, doc) in &found.entries {
        out.push_str(&summary("        ", doc));
        writeln!(out, "        {} = {number},", entry_name(&found.name, name)).expect("text");
    }
    out + "    }\n"
}

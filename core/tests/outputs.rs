//! What the bindings write by hand of the outputs of a batch says what their declaration says: names, elements, shapes.

use playmat_core::vec::{OUTPUTS, ObsType, Output, OutputAxis, OutputKind, OwnedBuffers, Sizes, View};
use std::path::Path;

/// A file of the repository.
fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text after one mark, up to the next other one.
fn part<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(from).unwrap_or_else(|| panic!("no `{from}`")) + from.len();
    let end = text[start..].find(to).unwrap_or_else(|| panic!("no `{to}` after `{from}`"));
    &text[start..start + end]
}

/// The shape as pages write it, in the turn view: `[N, O]`.
fn shape(output: &Output) -> String {
    let letter = |axis: &OutputAxis| match axis {
        OutputAxis::Lane => None,
        OutputAxis::Player => Some("P"),
        OutputAxis::Action => Some("A"),
        OutputAxis::Observation => Some("O"),
    };
    let letters: Vec<_> = std::iter::once("N").chain(output.axes.iter().filter_map(letter)).collect();
    format!("[{}]", letters.join(", "))
}

/// The type of an element in C, of observations as bytes.
fn c_type(kind: OutputKind) -> &'static str {
    match kind {
        OutputKind::Observation | OutputKind::Flag => "uint8_t",
        OutputKind::I32 => "int32_t",
        OutputKind::I64 => "int64_t",
        OutputKind::U64 => "uint64_t",
        OutputKind::F32 => "float",
    }
}

/// The name as C# writes it: `FinalOpponent`.
fn pascal(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// The entry that ends with `end` begins with `start`, after what ends the entry before it.
#[track_caller]
fn assert_entry(text: &str, before: &str, start: &str, end: &str) {
    let end_at = text.find(end).unwrap_or_else(|| panic!("no `{end}`"));
    let entry = text[..end_at].rfind(before).map_or(0, |at| at + before.len());
    let entry = text[entry..end_at].trim_start_matches([' ', '\n', '*', '{']);
    assert!(entry.starts_with(start), "`{end}`: no `{start}` at the start of `{entry}`");
}

#[test]
fn the_c_header_has_every_output() {
    let header = read("capi/include/playmat.h");
    let buffers = part(&header, "typedef struct PlaymatBuffers {", "} PlaymatBuffers;");
    let mut pointers = 0;
    for output in OUTPUTS {
        let element = c_type(output.kind);
        let name = output.name;
        let field = format!(" {element} *{name};\n    size_t {name}_len;");
        assert_entry(buffers, "/**", &shape(output), &field);
        pointers += 1;
        if output.kind == OutputKind::Observation {
            let floats = format!(" float *{name}_f32;\n    size_t {name}_f32_len;");
            assert!(buffers.contains(&floats), "no `{floats}`");
            pointers += 1;
        }
    }
    assert_eq!(buffers.matches("_len;").count(), pointers, "a buffer that is no output");
}

#[test]
fn the_cpp_batch_has_every_output() {
    let text = read("capi/include/playmat_vec.hpp");
    let batch = part(&text, "struct Batch {", "\n};");
    let mut given = 0;
    for output in OUTPUTS {
        let element = c_type(output.kind);
        let mut vectors = vec![(output.name.to_string(), element)];
        if output.kind == OutputKind::Observation {
            vectors.push((format!("{}_f32", output.name), "float"));
        }
        for (name, element) in vectors {
            let call = format!("give({name}, b.{name}, b.{name}_len);");
            assert!(batch.contains(&call), "no `{call}`");
            let names = part(batch, &format!("std::vector<{element}> "), ";");
            assert!(names.split(", ").any(|known| known == name), "{name} is no vector of {element}");
            given += 1;
        }
    }
    assert_eq!(batch.matches("give(").count(), given, "a vector that is no output");
}

#[test]
fn the_csharp_batch_has_every_output() {
    let text = read("capi/csharp/Runtime/Batch.cs");
    let batch = part(&text, "public sealed class Batch", "internal unsafe interface");
    let mut arrays = 0;
    for output in OUTPUTS {
        let element = match output.kind {
            OutputKind::Observation | OutputKind::Flag => "byte",
            OutputKind::I32 => "int",
            OutputKind::I64 => "long",
            OutputKind::U64 => "ulong",
            OutputKind::F32 => "float",
        };
        let name = pascal(output.name);
        let property = format!("public {element}[] {name} {{ get; set; }}");
        assert_entry(batch, "get; set; }", &format!("/// <summary>{} ", shape(output)), &property);
        let mut fields = vec![output.name.to_string()];
        if output.kind == OutputKind::Observation {
            let floats = format!("public float[] {name}Float {{ get; set; }}");
            assert!(batch.contains(&floats), "no `{floats}`");
            fields.push(format!("{}_f32", output.name));
        }
        for field in fields {
            // In a call with pinned arrays, and pinned for an asynchronous step.
            assert_eq!(batch.matches(&format!("raw.{field} = ")).count(), 2, "{field}");
            arrays += 1;
        }
    }
    assert_eq!(batch.matches("{ get; set; }").count(), arrays, "an array that is no output");
}

#[test]
fn the_python_batch_has_every_output() {
    let text = read("pybind/src/batch.rs");
    let class = part(&text, "pub(crate) struct Batch {", "\n}\n");
    let stub = read("python/playmat/_native.pyi");
    let stub = part(&stub, "class Batch:", "def keys");
    // The last one, `drawn`, is what `sample_actions` returns.
    let shown = &OUTPUTS[..OUTPUTS.len() - 1];
    for output in shown {
        let (element, array) = match output.kind {
            OutputKind::Observation => ("uint8 (or float32)", "Any"),
            OutputKind::Flag => ("bool", "np.bool_"),
            OutputKind::I32 => ("int32", "np.int32"),
            OutputKind::I64 => ("int64", "np.int64"),
            OutputKind::U64 => ("uint64", "np.uint64"),
            OutputKind::F32 => ("float32", "np.float32"),
        };
        let name = output.name;
        let documented = format!("/// {element} `{}`", shape(output));
        assert_entry(class, "Py<PyAny>,", &documented, &format!("    {name}: Py<PyAny>,"));
        let described = documented.trim_start_matches("/// ");
        let property = format!("def {name}(self) -> NDArray[{array}]:\n        \"\"\"{described}");
        assert!(stub.contains(&property), "no `{property}`");
    }
    assert_eq!(stub.matches("@property").count(), shown.len(), "a property that is no output");
}

#[test]
fn shapes_have_the_lengths_of_the_buffers() {
    for (view, lanes) in [(View::Turn, 1), (View::Joint, 3)] {
        let sizes = Sizes { envs: 5, players: 3, actions: 7, observation: 11, lanes };
        let buffers = OwnedBuffers::new(&sizes, ObsType::U8);
        let len = |name: &str| -> usize {
            let output = OUTPUTS.iter().find(|output| output.name == name).expect("an output");
            output.shape(&sizes, view).iter().product()
        };
        assert_eq!(len("obs"), buffers.obs.bytes.len());
        assert_eq!(len("final_obs_all"), buffers.final_obs_all.bytes.len());
        assert_eq!(len("action_mask"), buffers.action_mask.len());
        assert_eq!(len("player"), buffers.player.len());
        assert_eq!(len("final_opponent"), buffers.final_opponent.len());
        assert_eq!(len("drawn"), buffers.drawn.len());
        assert_eq!(len("obs"), 5 * lanes * 11);
    }
}

//! What a graph computes, as steps over buffers of known sizes.
//!
//! All shapes are resolved when a file is read, so running a plan cannot fail. The first axis of every value that depends on the
//! inputs is the batch, and no operator mixes rows: a row's numbers are added up in one order, whatever the size of the batch and
//! the processor. So a network decides alike on every machine.

mod builder;

use super::kernel::{self, Packed, Taps};
use super::onnx::{BOOL, Constant, Data, FLOAT, Model, Refusal, UINT8, short};
use std::collections::BTreeMap;

/// Bounds of what a file may ask for: elements of one value in a row, and multiplications and additions per row.
const MOST_ELEMENTS: usize = 1 << 22;
const MOST_WORK: usize = 1 << 30;
/// Axes of a value.
const MOST_AXES: usize = 8;
/// Squares around a convolution's input.
const MOST_PADDING: i64 = 64;
/// Operator sets that are read.
const OPSETS: std::ops::RangeInclusive<i64> = 13..=17;

/// The operators that are supported, for messages and the documentation.
pub(super) const OPERATORS: [&str; 27] = [
    "Add",
    "Cast",
    "Concat",
    "Conv",
    "Div",
    "Erf",
    "Exp",
    "Flatten",
    "Gather",
    "Gemm",
    "Log",
    "MatMul",
    "Max",
    "Min",
    "Mul",
    "ReduceMax",
    "ReduceMean",
    "ReduceSum",
    "Relu",
    "Reshape",
    "Sigmoid",
    "Slice",
    "Sqrt",
    "Squeeze",
    "Sub",
    "Tanh",
    "Unsqueeze",
];

/// Reads an operand of an elementwise step.
#[derive(Debug)]
enum Operand {
    /// Element i of a buffer.
    Same(usize),
    /// Element `table[i]` of a buffer.
    Table(usize, Vec<u32>),
    /// One element per element of the result.
    Constants(Vec<f32>),
    /// The same number for all.
    Number(f32),
}

#[derive(Clone, Copy, Debug)]
enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
}

/// A function of each element alone.
#[derive(Clone, Copy, Debug)]
enum Curve {
    Erf,
    Exp,
    Log,
    Sigmoid,
    Sqrt,
    Tanh,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Reduce {
    Max,
    Mean,
    Sum,
}

/// One step; numbers are those of buffers.
#[derive(Debug)]
enum Step {
    /// The bytes of a row of the input from `from` on, as many as the buffer has, as numbers.
    Numbers {
        from: usize,
        to: usize,
    },
    Binary {
        kind: Binary,
        a: Operand,
        b: Operand,
        to: usize,
    },
    Relu {
        from: usize,
        to: usize,
    },
    Curve {
        kind: Curve,
        from: usize,
        to: usize,
    },
    /// `to[i] = from[table[i]]`.
    Take {
        from: usize,
        table: Vec<u32>,
        to: usize,
    },
    /// Parts with the length of each in one repetition.
    Concat {
        parts: Vec<(usize, usize)>,
        times: usize,
        to: usize,
    },
    /// Each of `rows` vectors of a row of the batch times a matrix.
    Linear {
        from: usize,
        rows: usize,
        packed: Packed,
        to: usize,
    },
    /// `batch` products of matrices [m, k] and [k, n].
    Product {
        a: usize,
        b: usize,
        batch: usize,
        sizes: [usize; 3],
        to: usize,
    },
    Conv {
        from: usize,
        taps: Taps,
        to: usize,
    },
    /// `table[i]` is the place of the result that element i belongs to.
    Reduce {
        kind: Reduce,
        from: usize,
        table: Vec<u32>,
        count: usize,
        to: usize,
    },
}

/// A plan: steps, the sizes of the buffers for one row, and where the outputs lie.
#[derive(Debug)]
pub(super) struct Plan {
    steps: Vec<Step>,
    sizes: Vec<usize>,
    pub(super) observation: usize,
    pub(super) actions: usize,
    /// Whether the greedy agent's action follows the observation, one byte per action.
    pub(super) takes_greedy: bool,
    logits: usize,
    value: usize,
    /// Rows that are computed together.
    chunk: usize,
}

/// A value of the graph.
#[derive(Clone, Debug)]
enum Value {
    /// The `len` bytes of a row of the input from `from` on, before they are cast to numbers.
    Bytes {
        from: usize,
        len: usize,
    },
    /// The legal action mask.
    Mask,
    Floats(Vec<usize>, Vec<f32>),
    Ints(Vec<usize>, Vec<i64>),
    /// A buffer; the shape is without the batch axis.
    Rows(usize, Vec<usize>),
}

/// Buffers of a run, for reuse.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    buffers: Vec<Vec<f32>>,
    pub(super) work: Vec<f32>,
}

struct Builder<'a> {
    values: BTreeMap<&'a str, Value>,
    steps: Vec<Step>,
    sizes: Vec<usize>,
    work: usize,
    actions: usize,
}

fn product(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Checks the shape of a value before anything of its size is made.
fn checked(shape: &[usize]) -> Result<usize, Refusal> {
    if shape.len() > MOST_AXES {
        return Err(format!("a value has more than {MOST_AXES} axes").into());
    }
    let mut all = 1usize;
    for &size in shape {
        all = all.saturating_mul(size);
        if all > MOST_ELEMENTS {
            return Err(format!("a value has more than {MOST_ELEMENTS} elements").into());
        }
    }
    Ok(all)
}

/// For each element of `shape`, the place in a tensor of the shape `from`, which is broadcast to it. Both have as many axes.
fn broadcast_table(shape: &[usize], from: &[usize]) -> Vec<u32> {
    let mut table = vec![0u32];
    let mut stride = vec![0usize; shape.len()];
    let mut all = 1;
    for axis in (0..shape.len()).rev() {
        stride[axis] = if from[axis] == 1 { 0 } else { all };
        all *= from[axis];
    }
    for (axis, &size) in shape.iter().enumerate() {
        let mut next = Vec::with_capacity(table.len() * size);
        for &base in &table {
            next.extend((0..size).map(|at| base + (at * stride[axis]) as u32));
        }
        table = next;
    }
    table
}

impl Plan {
    /// Resolves a graph for a number of bytes of an observation and a number of actions.
    pub(super) fn new(model: Model<'_>, observation: usize, actions: usize) -> Result<Plan, Refusal> {
        if !OPSETS.contains(&model.opset) {
            let (least, most) = (OPSETS.start(), OPSETS.end());
            return Err(format!("it uses operator set {}; allowed: {least} to {most}", model.opset).into());
        }
        let mut builder =
            Builder { values: BTreeMap::new(), steps: Vec::new(), sizes: Vec::new(), work: 0, actions };
        for Constant { name, shape, data } in model.constants {
            let value = match data {
                Data::F32(data) => Value::Floats(shape, data),
                Data::I64(data) => Value::Ints(shape, data),
            };
            builder.values.insert(name, value);
        }
        let wanted = [
            ("obs", UINT8, "uint8", observation),
            ("mask", BOOL, "bool", actions),
            ("greedy", UINT8, "uint8", actions),
        ];
        for input in &model.inputs {
            if builder.values.contains_key(input.name) {
                continue;
            }
            let Some(&(name, dtype, type_name, size)) = wanted.iter().find(|wanted| wanted.0 == input.name)
            else {
                return Err(format!(
                    "it has an input `{}`; allowed: `obs`, `mask`, `greedy`",
                    short(input.name)
                )
                .into());
            };
            let fits = input.shape.len() == 2 && input.shape[1] == Some(size as i64);
            if input.dtype != dtype || !fits {
                return Err(format!("its input `{name}` is not {type_name} [batch, {size}]").into());
            }
            let value = match name {
                "obs" => Value::Bytes { from: 0, len: observation },
                "mask" => Value::Mask,
                _ => Value::Bytes { from: observation, len: actions },
            };
            builder.values.insert(name, value);
        }
        for name in ["obs", "mask"] {
            if !builder.values.contains_key(name) {
                return Err(format!("it has no input `{name}`").into());
            }
        }
        for node in &model.nodes {
            builder.node(node).map_err(|reason| format!("operator `{}`: {reason}", short(node.kind)))?;
        }
        let mut outputs = [0; 2];
        for (place, (name, wanted)) in [("logits", vec![actions]), ("value", vec![])].into_iter().enumerate()
        {
            let declared = model.outputs.iter().any(|output| output.name == name && output.dtype == FLOAT);
            match builder.values.get(name) {
                Some(Value::Rows(buffer, shape)) if declared && *shape == wanted => outputs[place] = *buffer,
                _ => {
                    let shape =
                        if name == "value" { "[batch]".into() } else { format!("[batch, {actions}]") };
                    return Err(format!("it has no output `{name}` float32 {shape}").into());
                }
            }
        }
        let takes_greedy = matches!(builder.values.get("greedy"), Some(Value::Bytes { .. }));
        let Builder { steps, sizes, .. } = builder;
        let row: usize = sizes.iter().sum();
        // Large enough that weights are read once for several rows, small enough that buffers stay in the cache.
        let chunk = ((1 << 16) / row.max(1)).clamp(4, 64);
        let [logits, value] = outputs;
        Ok(Plan { steps, sizes, observation, actions, takes_greedy, logits, value, chunk })
    }

    /// Bytes of a row of the input.
    pub(super) fn input(&self) -> usize {
        self.observation + if self.takes_greedy { self.actions } else { 0 }
    }

    /// Rows that are computed together.
    pub(super) fn chunk(&self) -> usize {
        self.chunk
    }

    /// Computes logits `[rows, A]` and values `[rows]` of at most [`Plan::chunk`] rows.
    #[inline(always)]
    pub(super) fn run(
        &self,
        inputs: &[u8],
        rows: usize,
        scratch: &mut Scratch,
        logits: &mut [f32],
        value: &mut [f32],
    ) {
        scratch.buffers.resize_with(self.sizes.len(), Vec::new);
        for (buffer, &size) in scratch.buffers.iter_mut().zip(&self.sizes) {
            if buffer.len() < size * rows {
                buffer.resize(size * rows, 0.0);
            }
        }
        for step in &self.steps {
            self.step(step, inputs, rows, scratch);
        }
        logits.copy_from_slice(&scratch.buffers[self.logits][..rows * self.actions]);
        value.copy_from_slice(&scratch.buffers[self.value][..rows]);
    }

    #[inline(always)]
    fn step(&self, step: &Step, inputs: &[u8], rows: usize, scratch: &mut Scratch) {
        let Scratch { buffers, work } = scratch;
        // Every step writes a buffer of its own.
        let (Step::Numbers { to, .. }
        | Step::Binary { to, .. }
        | Step::Relu { to, .. }
        | Step::Curve { to, .. }
        | Step::Take { to, .. }
        | Step::Concat { to, .. }
        | Step::Linear { to, .. }
        | Step::Product { to, .. }
        | Step::Conv { to, .. }
        | Step::Reduce { to, .. }) = step;
        let size = self.sizes[*to];
        let mut taken = std::mem::take(&mut buffers[*to]);
        let out = &mut taken[..size * rows];
        let all = |from: usize| &buffers[from][..self.sizes[from] * rows];
        let row = |from: usize, at: usize| &buffers[from][at * self.sizes[from]..][..self.sizes[from]];
        match step {
            Step::Numbers { from, .. } => {
                let inputs = inputs.chunks_exact(self.input().max(1));
                for (out, input) in out.chunks_exact_mut(size.max(1)).zip(inputs) {
                    for (to, from) in out.iter_mut().zip(&input[*from..]) {
                        *to = f32::from(*from);
                    }
                }
            }
            Step::Binary { kind, a, b, .. } => {
                for (at, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
                    match kind {
                        Binary::Add => binary(a, b, at, &row, out, |a, b| a + b),
                        Binary::Sub => binary(a, b, at, &row, out, |a, b| a - b),
                        Binary::Mul => binary(a, b, at, &row, out, |a, b| a * b),
                        Binary::Div => binary(a, b, at, &row, out, |a, b| a / b),
                        Binary::Max => binary(a, b, at, &row, out, |a, b| if a > b { a } else { b }),
                        Binary::Min => binary(a, b, at, &row, out, |a, b| if a < b { a } else { b }),
                    }
                }
            }
            Step::Relu { from, .. } => {
                for (to, &from) in out.iter_mut().zip(all(*from)) {
                    *to = if from > 0.0 { from } else { 0.0 };
                }
            }
            Step::Curve { kind, from, .. } => match kind {
                Curve::Erf => curve(all(*from), out, kernel::erf),
                Curve::Exp => curve(all(*from), out, kernel::exp),
                Curve::Log => curve(all(*from), out, kernel::log),
                Curve::Sigmoid => curve(all(*from), out, kernel::sigmoid),
                Curve::Sqrt => curve(all(*from), out, f32::sqrt),
                Curve::Tanh => curve(all(*from), out, kernel::tanh),
            },
            Step::Take { from, table, .. } => {
                for (at, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
                    let from = row(*from, at);
                    for (to, &place) in out.iter_mut().zip(table) {
                        *to = from[place as usize];
                    }
                }
            }
            Step::Concat { parts, times, .. } => {
                for (at, mut out) in out.chunks_exact_mut(size.max(1)).enumerate() {
                    for time in 0..*times {
                        for &(from, length) in parts {
                            let (to, rest) = out.split_at_mut(length);
                            to.copy_from_slice(&row(from, at)[time * length..][..length]);
                            out = rest;
                        }
                    }
                }
            }
            Step::Linear { from, rows: each, packed, .. } => {
                kernel::linear(all(*from), rows * each, packed, out);
            }
            Step::Product { a, b, batch, sizes: [m, k, n], .. } => {
                for (at, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
                    let (a, b) = (row(*a, at), row(*b, at));
                    for one in 0..*batch {
                        let (a, b) = (&a[one * m * k..][..m * k], &b[one * k * n..][..k * n]);
                        kernel::product(a, b, [*m, *k, *n], &mut out[one * m * n..][..m * n]);
                    }
                }
            }
            Step::Conv { from, taps, .. } => {
                for (at, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
                    kernel::convolve(row(*from, at), taps, work, out);
                }
            }
            Step::Reduce { kind, from, table, count, .. } => {
                out.fill(if *kind == Reduce::Max { f32::NEG_INFINITY } else { 0.0 });
                for (at, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
                    for (&value, &place) in row(*from, at).iter().zip(table) {
                        let to = &mut out[place as usize];
                        match kind {
                            Reduce::Max if value > *to => *to = value,
                            Reduce::Max => {}
                            _ => *to += value,
                        }
                    }
                    if *kind == Reduce::Mean {
                        for to in out {
                            *to /= *count as f32;
                        }
                    }
                }
            }
        }
        buffers[*to] = taken;
    }
}

#[inline(always)]
fn curve(from: &[f32], out: &mut [f32], of: impl Fn(f32) -> f32) {
    for (to, &from) in out.iter_mut().zip(from) {
        *to = of(from);
    }
}

#[inline(always)]
fn binary<'b>(
    a: &Operand,
    b: &Operand,
    at: usize,
    row: &impl Fn(usize, usize) -> &'b [f32],
    out: &mut [f32],
    with: impl Fn(f32, f32) -> f32,
) {
    // The first operand is copied, so that there are as few forms as operands and all loops are simple.
    match a {
        Operand::Same(from) => out.copy_from_slice(row(*from, at)),
        Operand::Table(from, table) => {
            let from = row(*from, at);
            for (to, &place) in out.iter_mut().zip(table) {
                *to = from[place as usize];
            }
        }
        Operand::Constants(values) => out.copy_from_slice(values),
        Operand::Number(value) => out.fill(*value),
    }
    match b {
        Operand::Same(from) => {
            for (to, &b) in out.iter_mut().zip(row(*from, at)) {
                *to = with(*to, b);
            }
        }
        Operand::Table(from, table) => {
            let from = row(*from, at);
            for (to, &place) in out.iter_mut().zip(table) {
                *to = with(*to, from[place as usize]);
            }
        }
        Operand::Constants(values) => {
            for (to, &b) in out.iter_mut().zip(values) {
                *to = with(*to, b);
            }
        }
        Operand::Number(b) => {
            for to in out {
                *to = with(*to, *b);
            }
        }
    }
}

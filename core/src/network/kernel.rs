//! Sums of products. Every result adds its products in one order, and no product is fused with an addition: so results have the
//! same bits on all processors and in all batches. The compiler makes vectors of the loops over [`LANES`].

use crate::float;

/// Results that are computed side by side.
const LANES: usize = 16;
/// Vectors of the same width that are computed side by side: rows of a batch, or panels of a row.
const SIDE: usize = 4;

/// A matrix and a bias, in panels of [`LANES`] columns.
#[derive(Debug)]
pub(super) struct Packed {
    inputs: usize,
    outputs: usize,
    /// [panels][LANES].
    bias: Vec<[f32; LANES]>,
    /// [panels][inputs][LANES].
    weights: Vec<[f32; LANES]>,
}

impl Packed {
    /// `weights` are [inputs, outputs], or [outputs, inputs] if `transposed`.
    pub(super) fn new(
        weights: &[f32],
        bias: &[f32],
        inputs: usize,
        outputs: usize,
        transposed: bool,
    ) -> Packed {
        let panels = outputs.div_ceil(LANES);
        let mut packed = Packed {
            inputs,
            outputs,
            bias: vec![[0.0; LANES]; panels],
            weights: vec![[0.0; LANES]; panels * inputs],
        };
        for (output, &bias) in bias.iter().enumerate() {
            let (panel, lane) = (output / LANES, output % LANES);
            packed.bias[panel][lane] = bias;
            for input in 0..inputs {
                let at = if transposed { output * inputs + input } else { input * outputs + output };
                packed.weights[panel * inputs + input][lane] = weights[at];
            }
        }
        packed
    }

    /// Multiplications for one vector.
    pub(super) fn work(&self) -> usize {
        self.inputs.saturating_mul(self.outputs)
    }
}

/// Multiplies `rows` vectors by a matrix and adds the bias.
#[inline(always)]
pub(super) fn linear(from: &[f32], rows: usize, packed: &Packed, out: &mut [f32]) {
    let Packed { inputs, outputs, bias, weights } = packed;
    let (inputs, outputs) = (*inputs, *outputs);
    let mut row = 0;
    while row + SIDE <= rows {
        let x: [&[f32]; SIDE] = std::array::from_fn(|r| &from[(row + r) * inputs..][..inputs]);
        for (panel, bias) in bias.iter().enumerate() {
            let mut sums = [*bias; SIDE];
            let weights = &weights[panel * inputs..][..inputs];
            for (k, w) in weights.iter().enumerate() {
                for r in 0..SIDE {
                    add(&mut sums[r], x[r][k], w);
                }
            }
            for (r, sums) in sums.iter().enumerate() {
                store(sums, panel, &mut out[(row + r) * outputs..][..outputs]);
            }
        }
        row += SIDE;
    }
    for row in row..rows {
        let x = &from[row * inputs..][..inputs];
        let out = &mut out[row * outputs..][..outputs];
        let mut panel = 0;
        while panel + SIDE <= bias.len() {
            let mut sums: [[f32; LANES]; SIDE] = std::array::from_fn(|p| bias[panel + p]);
            let w: [&[[f32; LANES]]; SIDE] =
                std::array::from_fn(|p| &weights[(panel + p) * inputs..][..inputs]);
            for (k, &x) in x.iter().enumerate() {
                for p in 0..SIDE {
                    add(&mut sums[p], x, &w[p][k]);
                }
            }
            for (p, sums) in sums.iter().enumerate() {
                store(sums, panel + p, out);
            }
            panel += SIDE;
        }
        for panel in panel..bias.len() {
            let mut sums = bias[panel];
            for (&x, w) in x.iter().zip(&weights[panel * inputs..][..inputs]) {
                add(&mut sums, x, w);
            }
            store(&sums, panel, out);
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f32; LANES], x: f32, w: &[f32; LANES]) {
    for lane in 0..LANES {
        sums[lane] += x * w[lane];
    }
}

#[inline(always)]
fn store(sums: &[f32; LANES], panel: usize, out: &mut [f32]) {
    let start = panel * LANES;
    let end = (start + LANES).min(out.len());
    out[start..end].copy_from_slice(&sums[..end - start]);
}

/// The product of two matrices, [m, k] and [k, n].
#[inline(always)]
pub(super) fn product(a: &[f32], b: &[f32], [m, k, n]: [usize; 3], out: &mut [f32]) {
    out.fill(0.0);
    for row in 0..m {
        let out = &mut out[row * n..][..n];
        for inner in 0..k {
            let x = a[row * k + inner];
            for (to, &y) in out.iter_mut().zip(&b[inner * n..][..n]) {
                *to += x * y;
            }
        }
    }
}

/// A convolution with stride 1 over planes that are padded first.
#[derive(Debug)]
pub(super) struct Taps {
    channels: usize,
    plane: [usize; 2],
    offset: [usize; 2],
    /// Size of a padded plane.
    padded: (usize, usize),
    /// Height and width of a result.
    result: [usize; 2],
    /// Per input channel, row and column: where the squares lie that it multiplies.
    places: Vec<u32>,
    /// [outputs][taps].
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Taps {
    pub(super) fn new(
        weights: &[f32],
        bias: &[f32],
        [outputs, channels, rows, columns]: [usize; 4],
        plane: [usize; 2],
        offset: [usize; 2],
        padded: (usize, usize),
    ) -> Taps {
        let taps = channels * rows * columns;
        let mut places = Vec::with_capacity(taps);
        for channel in 0..channels {
            for row in 0..rows {
                for column in 0..columns {
                    places.push(((channel * padded.0 + row) * padded.1 + column) as u32);
                }
            }
        }
        let result = [padded.0 - rows + 1, padded.1 - columns + 1];
        let (weights, bias) = (weights[..outputs * taps].to_vec(), bias[..outputs].to_vec());
        Taps { channels, plane, offset, padded, result, places, weights, bias }
    }
}

/// Convolves the planes of one row of the batch.
#[inline(always)]
pub(super) fn convolve(from: &[f32], taps: &Taps, work: &mut Vec<f32>, out: &mut [f32]) {
    let Taps { channels, plane: [height, width], offset, padded, result, places, weights, bias } = taps;
    let squares = padded.0 * padded.1;
    let [rows, columns] = *result;
    // Squares are computed in the padded plane, row after row; those beyond a result's columns are left out. Whole vectors of them.
    let count = ((rows - 1) * padded.1 + columns).next_multiple_of(LANES);
    let read = channels * squares + LANES;
    work.clear();
    work.resize(read + count, 0.0);
    let (work, sums) = work.split_at_mut(read);
    for channel in 0..*channels {
        for row in 0..*height {
            let to = channel * squares + (row + offset[0]) * padded.1 + offset[1];
            work[to..to + width].copy_from_slice(&from[(channel * height + row) * width..][..*width]);
        }
    }
    let seen = |place: u32| &work[place as usize..][..count];
    let outputs = weights.chunks_exact(places.len()).zip(bias).zip(out.chunks_exact_mut(rows * columns));
    for ((weights, bias), out) in outputs {
        sums.fill(*bias);
        let (fours, rest) = places.as_chunks::<4>();
        let (weights, last) = weights.as_chunks::<4>();
        for (w, &[a, b, c, d]) in weights.iter().zip(fours) {
            add_four(sums, w, [seen(a), seen(b), seen(c), seen(d)]);
        }
        for (w, &place) in last.iter().zip(rest) {
            for (sum, x) in sums.iter_mut().zip(seen(place)) {
                *sum += w * x;
            }
        }
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            out.copy_from_slice(&sums[row * padded.1..][..columns]);
        }
    }
}

/// Four taps in one pass, in their order: with one tap in a pass, reading and writing the sums takes longer than the products.
#[inline(always)]
fn add_four(sums: &mut [f32], w: &[f32; 4], [a, b, c, d]: [&[f32]; 4]) {
    let taps = a.iter().zip(b).zip(c.iter().zip(d));
    for (sum, ((a, b), (c, d))) in sums.iter_mut().zip(taps) {
        *sum = *sum + w[0] * a + w[1] * b + w[2] * c + w[3] * d;
    }
}

/// 1 / (1 + e^-x).
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    let small = float::exp(-f64::from(x).abs().clamp(0.0, 700.0));
    (if x < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }) as f32
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let small = float::exp(-2.0 * f64::from(x).abs().clamp(0.0, 350.0));
    ((1.0 - small) / (1.0 + small)).copysign(f64::from(x)) as f32
}

/// e^x.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    float::exp(f64::from(x).clamp(-700.0, 700.0)) as f32
}

/// The natural logarithm: minus infinity at 0, NaN below.
#[inline(always)]
pub(super) fn log(x: f32) -> f32 {
    match x {
        _ if x > 0.0 && x < f32::INFINITY => float::ln(f64::from(x)) as f32,
        0.0 => f32::NEG_INFINITY,
        _ if x < 0.0 => f32::NAN,
        // Infinity, and NaN.
        _ => x,
    }
}

/// The error function.
#[inline(always)]
pub(super) fn erf(x: f32) -> f32 {
    float::erf(f64::from(x)) as f32
}

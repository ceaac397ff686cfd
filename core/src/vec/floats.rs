//! Observations as `f32`: `(byte - bias) / scale`.
//!
//! [`Layout::to_f32`] is the definition. Here segments with the same arithmetic are converted together, as vectors, and without a division where
//! another operation has the same bits.

use crate::info::Layout;
use crate::pool::{Isa, Kernel};

/// How the elements of a span are converted, from the cheapest to what is right for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arithmetic {
    /// No bias, and scale 1.
    Convert,
    /// Scales that are powers of two: the product with the reciprocal, which is exact, is the quotient.
    Multiply,
    /// Any.
    Divide,
}

/// Elements that are converted alike at least: a vector. A shorter end of a loop is converted one by one.
const VECTOR: usize = 8;

/// Spans up to this length are short: neighbours of this kind are converted together.
const SHORT: usize = 16;

/// Elements of an observation that are converted alike, up to `end`.
#[derive(Clone, Copy, Debug)]
struct Span {
    end: usize,
    arithmetic: Arithmetic,
    is_short: bool,
}

/// The conversion of the observations of a configured game.
#[derive(Clone, Debug)]
pub(crate) struct Floats {
    spans: Vec<Span>,
    /// By element; the reciprocals are used in spans of [`Arithmetic::Multiply`].
    bias: Vec<f32>,
    scale: Vec<f32>,
    reciprocal: Vec<f32>,
}

impl Floats {
    pub(crate) fn new(layout: &Layout) -> Floats {
        let size = layout.size();
        let (mut bias, mut scale) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let mut needed = Vec::with_capacity(size);
        for segment in &layout.segments {
            bias.extend(std::iter::repeat_n(f32::from(segment.bias), segment.len()));
            scale.extend(std::iter::repeat_n(f32::from(segment.scale), segment.len()));
            let arithmetic = match (segment.bias, segment.scale) {
                (0, 1) => Arithmetic::Convert,
                (_, scale) if scale.is_power_of_two() => Arithmetic::Multiply,
                _ => Arithmetic::Divide,
            };
            needed.extend(std::iter::repeat_n(arithmetic, segment.len()));
        }
        let reciprocal = scale.iter().map(|scale: &f32| scale.recip()).collect();
        Floats { spans: spans(&needed), bias, scale, reciprocal }
    }

    /// The `f32` form of an observation.
    #[inline(always)]
    fn convert(&self, bytes: &[u8], row: &mut [f32]) {
        let mut from = 0;
        for &Span { end, arithmetic, .. } in &self.spans {
            let (bytes, row, bias) = (&bytes[from..end], &mut row[from..end], &self.bias[from..end]);
            match arithmetic {
                Arithmetic::Convert => convert(bytes, row),
                Arithmetic::Multiply => scale::<false>(bytes, bias, &self.reciprocal[from..end], row),
                Arithmetic::Divide => scale::<true>(bytes, bias, &self.scale[from..end], row),
            }
            from = end;
        }
    }
}

/// The spans of elements that need these operations.
fn spans(needed: &[Arithmetic]) -> Vec<Span> {
    let vectors = needed.chunks(VECTOR).enumerate().map(|(at, vector)| Span {
        end: at * VECTOR + vector.len(),
        arithmetic: vector.iter().copied().max().unwrap_or(Arithmetic::Convert),
        is_short: false,
    });
    let is_alike = |a: &Span, b: &Span| a.arithmetic == b.arithmetic;
    let mut spans = join(vectors, is_alike);
    let mut from = 0;
    for span in &mut spans {
        span.is_short = span.end - from <= SHORT;
        from = span.end;
    }
    join(join(spans, |a, b| a.is_short && b.is_short), is_alike)
}

/// Joins neighbours that `alike` accepts. What is joined is converted by the operation that is right for all of it.
fn join(spans: impl IntoIterator<Item = Span>, alike: impl Fn(&Span, &Span) -> bool) -> Vec<Span> {
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if alike(last, &span) => {
                last.end = span.end;
                last.arithmetic = last.arithmetic.max(span.arithmetic);
            }
            _ => joined.push(span),
        }
    }
    joined
}

#[inline(always)]
fn convert(bytes: &[u8], row: &mut [f32]) {
    for (value, &byte) in row.iter_mut().zip(bytes) {
        *value = f32::from(byte);
    }
}

/// `scale` are the scales or their reciprocals. Vector code.
#[inline(always)]
fn scale<const DIVIDE: bool>(bytes: &[u8], bias: &[f32], scale: &[f32], row: &mut [f32]) {
    for (((value, &byte), &bias), &scale) in row.iter_mut().zip(bytes).zip(bias).zip(scale) {
        let difference = f32::from(byte) - bias;
        *value = if DIVIDE { difference / scale } else { difference * scale };
    }
}

/// Converts observations, one after the other. All calls for a game share one function per instruction set.
pub(crate) struct Convert<'k> {
    pub(crate) floats: &'k Floats,
    pub(crate) bytes: &'k [u8],
    /// As many elements as there are bytes.
    pub(crate) rows: &'k mut [f32],
}

impl Kernel for Convert<'_> {
    type Out = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Convert { floats, bytes, rows } = self;
        let size = floats.bias.len();
        for (bytes, row) in bytes.chunks_exact(size).zip(rows.chunks_exact_mut(size)) {
            floats.convert(bytes, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::{Level, dispatch};
    use crate::rng::Rng;

    /// Converts every byte in a row with these segments (length, bias, scale), and compares the bits with the definition.
    fn compare(segments: &[(usize, u8, usize)]) {
        let mut layout = Layout::default();
        for &(len, bias, scale) in segments {
            layout.push_biased("segment", &[len], bias, scale, false, "");
        }
        let floats = Floats::new(&layout);
        let size = layout.size();
        let bytes: Vec<u8> = (0..size * 256).map(|at| (at % size + at / size) as u8).collect();
        let mut wanted = vec![0.0; size * 256];
        for (bytes, row) in bytes.chunks_exact(size).zip(wanted.chunks_exact_mut(size)) {
            layout.to_f32(bytes, row);
        }
        for level in [Level::BASELINE, Level::detect()] {
            let mut rows = vec![f32::NAN; size * 256];
            dispatch(level, Convert { floats: &floats, bytes: &bytes, rows: &mut rows });
            assert!(rows.iter().zip(&wanted).all(|(a, b)| a.to_bits() == b.to_bits()), "{segments:?}");
        }
    }

    #[test]
    fn long_segments_are_not_divided_where_another_operation_does() {
        use Arithmetic::{Convert, Divide, Multiply};
        let mut layout = Layout::default();
        for (len, scale) in [(40, 1), (3, 7), (40, 1), (40, 64), (16, 1), (1, 3)] {
            layout.push("segment", &[len], scale, false, "");
        }
        let spans = Floats::new(&layout).spans.into_iter().map(|span| (span.end, span.arithmetic));
        let wanted = [(40, Convert), (48, Divide), (80, Convert), (128, Multiply), (140, Divide)];
        assert_eq!(spans.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn floats_have_the_bits_of_their_definition() {
        compare(&[(27, 0, 1)]);
        compare(&[(1, 0, 3)]);
        // Every scale up to that of a byte, with and without a bias.
        for bias in [0, 32, 255] {
            compare(&(1..=255).map(|scale| (1, bias, scale)).collect::<Vec<_>>());
            (1..=255).for_each(|scale| compare(&[(SHORT + 1, bias, scale)]));
        }
        let mut rng = Rng::from_seed(3);
        for _ in 0..200 {
            let segments: Vec<_> = (0..=rng.below(12))
                .map(|_| {
                    let len = [1, 3, 15, 16, 17, 40][rng.below(6) as usize];
                    let bias = [0, 0, 0, 7][rng.below(4) as usize];
                    (len, bias, [1, 1, 2, 4, 64, 3, 10, 700][rng.below(8) as usize])
                })
                .collect();
            compare(&segments);
        }
    }
}

//! Kernels against plain loops; the rest is tested with the files of real games (`seeds/tests/networks.rs`, `tests/python`).

use super::kernel::{Packed, Taps, convolve, linear};
use super::*;
use crate::bits::Bits;
use crate::rng::Rng;

/// Numbers from -1 to 1.
fn numbers(rng: &mut Rng, count: usize) -> Vec<f32> {
    (0..count).map(|_| rng.next_u32() as f32 / 2_147_483_648.0 - 1.0).collect()
}

/// [`linear`] with the instructions of a level.
struct Linear<'a>(&'a [f32], usize, &'a Packed, &'a mut [f32]);

impl Kernel for Linear<'_> {
    type Out = ();

    fn run<I: Isa>(self, _: I) {
        linear(self.0, self.1, self.2, self.3);
    }
}

#[test]
fn a_linear_layer_has_the_same_bits_as_a_plain_loop_in_every_batch_and_instruction_set() {
    let mut rng = Rng::from_seed(1);
    for (inputs, outputs) in [(1, 1), (5, 16), (7, 17), (33, 70), (64, 128), (3, 0), (0, 3)] {
        let weights = numbers(&mut rng, inputs * outputs);
        let bias = numbers(&mut rng, outputs);
        let packed = Packed::new(&weights, &bias, inputs, outputs, true);
        for rows in [1, 2, 4, 5, 11] {
            let from = numbers(&mut rng, rows * inputs);
            let mut wanted = Vec::new();
            for row in 0..rows {
                for output in 0..outputs {
                    let mut sum = bias[output];
                    for input in 0..inputs {
                        sum += from[row * inputs + input] * weights[output * inputs + input];
                    }
                    wanted.push(sum);
                }
            }
            for level in [Level::BASELINE, Level::detect()] {
                let mut got = vec![9.0; rows * outputs];
                dispatch(level, Linear(&from, rows, &packed, &mut got));
                assert_eq!(got, wanted, "{inputs} x {outputs}, {rows} rows");
            }
        }
    }
}

#[test]
fn a_convolution_has_the_same_bits_as_a_plain_loop() {
    let mut rng = Rng::from_seed(2);
    for ([outputs, channels, rows, columns], [height, width], [top, left, bottom, right]) in [
        ([1, 1, 1, 1], [1, 1], [0, 0, 0, 0]),
        ([5, 3, 3, 3], [12, 12], [1, 1, 1, 1]),
        ([4, 2, 4, 2], [5, 9], [0, 1, 3, 0]),
        ([9, 1, 2, 5], [2, 17], [0, 0, 0, 0]),
    ] {
        let padded = (height + top + bottom, width + left + right);
        let weights = numbers(&mut rng, outputs * channels * rows * columns);
        let bias = numbers(&mut rng, outputs);
        let from = numbers(&mut rng, channels * height * width);
        let taps = Taps::new(
            &weights,
            &bias,
            [outputs, channels, rows, columns],
            [height, width],
            [top, left],
            padded,
        );
        let result = (padded.0 - rows + 1, padded.1 - columns + 1);
        let mut wanted = Vec::new();
        for output in 0..outputs {
            for (y, x) in (0..result.0).flat_map(|y| (0..result.1).map(move |x| (y, x))) {
                let mut sum = bias[output];
                for channel in 0..channels {
                    for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                        let place = ((y + row).checked_sub(top), (x + column).checked_sub(left));
                        let square = match place {
                            (Some(y), Some(x)) if y < height && x < width => {
                                from[(channel * height + y) * width + x]
                            }
                            _ => 0.0,
                        };
                        sum +=
                            square * weights[((output * channels + channel) * rows + row) * columns + column];
                    }
                }
                wanted.push(sum);
            }
        }
        let mut got = vec![9.0; wanted.len()];
        convolve(&from, &taps, &mut vec![7.0; 3], &mut got);
        assert_eq!(got, wanted);
    }
}

#[test]
fn the_exponential_is_that_of_the_standard_library() {
    for at in 0..2_000 {
        let x = -(at as f32) * 0.04;
        let wanted = f64::from(x).exp();
        let error = (f64::from(weight(x)) - wanted).abs();
        assert!(error <= 1e-7 * wanted + f64::from(f32::MIN_POSITIVE), "{x}: {} for {wanted}", weight(x));
    }
    assert_eq!((weight(0.0), weight(-1e9) < 1e-40), (1.0, true));
    assert!(weight(f32::NAN).is_nan());
}

#[test]
fn the_best_action_is_legal_and_the_lowest_of_several() {
    let legal = Bits([0b0110_1010_u64]);
    assert_eq!(best(&[9.0, 1.0, 9.0, 2.0, 9.0, 2.0, 1.0], &legal), Action(3));
    assert_eq!(best(&[f32::NAN; 7], &legal), Action(1));
    let mut probabilities = Vec::new();
    policy(&[9.0, 0.0, 9.0, 0.0, 9.0, 0.0, f32::NEG_INFINITY], &legal, 1.0, &mut probabilities);
    let third = 1.0 / 3.0;
    assert_eq!(probabilities[..3], [third; 3]);
    assert!(probabilities[3] < 1e-40);
    policy(&[f32::NAN; 7], &legal, 1.0, &mut probabilities);
    assert_eq!(probabilities, [0.25; 4]);
}

#[test]
fn curves_are_those_of_the_standard_library() {
    for at in -4_000..=4_000 {
        let x = at as f32 * 0.025;
        let wide = f64::from(x);
        assert!((f64::from(kernel::tanh(x)) - wide.tanh()).abs() <= 6e-8, "{x}: {}", kernel::tanh(x));
        let wanted = 1.0 / (1.0 + (-wide).exp());
        assert!((f64::from(kernel::sigmoid(x)) - wanted).abs() <= 6e-8, "{x}: {}", kernel::sigmoid(x));
    }
    assert_eq!([f32::INFINITY, f32::NEG_INFINITY, 0.0].map(kernel::tanh), [1.0, -1.0, 0.0]);
    assert_eq!([f32::INFINITY, f32::NEG_INFINITY, 0.0].map(kernel::sigmoid), [1.0, 0.0, 0.5]);
    assert!(kernel::tanh(f32::NAN).is_nan() && kernel::sigmoid(f32::NAN).is_nan());
    for at in -4_000..=4_000 {
        let x = at as f32 * 0.025;
        let (got, wanted) = (kernel::exp(x), f64::from(x).exp() as f32);
        assert!((got - wanted).abs() <= 2e-7 * wanted || got == wanted, "exp {x}: {got} for {wanted}");
        let (got, wanted) = (kernel::log(x.abs() * x.abs()), (f64::from(x.abs() * x.abs()).ln()) as f32);
        assert!((got - wanted).abs() <= 2e-7 * wanted.abs() || got == wanted, "log {x}²: {got} for {wanted}");
    }
    assert_eq!([f32::INFINITY, f32::NEG_INFINITY, 0.0].map(kernel::exp), [f32::INFINITY, 0.0, 1.0]);
    assert_eq!([f32::INFINITY, 0.0, 1.0].map(kernel::log), [f32::INFINITY, f32::NEG_INFINITY, 0.0]);
    assert!([kernel::exp(f32::NAN), kernel::log(f32::NAN), kernel::log(-1.0)].iter().all(|x| x.is_nan()));
    // Where it is 1 to the precision of f32; `float` compares the rest with its series.
    assert_eq!([f32::INFINITY, f32::NEG_INFINITY, 0.0, 4.0].map(kernel::erf), [1.0, -1.0, 0.0, 1.0]);
    assert!(kernel::erf(f32::NAN).is_nan());
}

#[test]
fn every_byte_of_the_input_changes_a_random_network() {
    let configured = ConfiguredGame::<crate::toy::Toll>::new(&Default::default()).unwrap();
    let info = configured.game.info();
    let (size, actions) = (info.observation.size(), info.num_actions);
    for takes_greedy in [false, true] {
        let network = Network::random(&configured, takes_greedy, 7);
        assert_eq!(network.takes_greedy(), takes_greedy);
        assert_eq!(network.input_size(), size + if takes_greedy { actions } else { 0 });
        let outputs = |input: &[u8]| {
            let (mut logits, mut value) = (vec![0.0; actions], [0.0]);
            network.evaluate(input, &mut logits, &mut value);
            (logits, value)
        };
        let mut input = vec![3; network.input_size()];
        let before = outputs(&input);
        for at in 0..input.len() {
            input[at] = 4;
            let after = outputs(&input);
            assert!(after.0.iter().zip(&before.0).all(|(a, b)| a != b) && after.1 != before.1, "byte {at}");
            input[at] = 3;
        }
        // Each row of a batch has its own.
        let mut rows = vec![3; 2 * input.len()];
        for (row, chosen) in rows.chunks_exact_mut(input.len()).zip([Some(Action(1)), None]) {
            network.write_greedy(row, chosen);
            let marks: Vec<u8> = (0..actions).map(|at| u8::from(chosen == Some(Action(at as u16)))).collect();
            assert_eq!(row, [&vec![3; size][..], if takes_greedy { &marks } else { &[] }].concat());
        }
        let (mut logits, mut values) = (vec![0.0; 2 * actions], [0.0; 2]);
        network.evaluate(&rows, &mut logits, &mut values);
        for (at, row) in rows.chunks_exact(input.len()).enumerate() {
            let own = (logits[at * actions..][..actions].to_vec(), [values[at]]);
            assert_eq!(outputs(row), own, "row {at}");
        }
    }
}

#[test]
fn an_agent_gives_its_network_what_the_greedy_agent_chooses() {
    use crate::agent::{Agent, Memories, NetworkAgent};
    use crate::env::Env;
    let configured =
        std::sync::Arc::new(ConfiguredGame::<crate::toy::Toll>::new(&Default::default()).unwrap());
    let agent = NetworkAgent::of("a.onnx", Network::random(&configured, true, 7));
    let network = Network::random(&configured, true, 7);
    let mut differs = false;
    for seed in 0..20 {
        let mut env = Env::new(configured.clone(), seed);
        while let Some(player) = env.current_player() {
            let legal = env.legal(player);
            let known = Knowledge::new(&*configured.game, env.state(), player, &legal);
            let mut input = vec![0; network.input_size()];
            known.write_observation(&mut input[..configured.game.info().observation.size()]);
            let mut choose = |chosen| {
                let (mut logits, mut value) = (vec![0.0; network.actions()], [0.0]);
                network.write_greedy(&mut input, chosen);
                network.evaluate(&input, &mut logits, &mut value);
                best(&logits, &legal)
            };
            let greedy = known.greedy(&mut Rng::from_seed(seed));
            let wanted = choose(Some(greedy));
            differs |= wanted != choose(None);
            let mut memories = Memories::default();
            let got = agent.act(&known, &mut memories.of(player, 0), &mut Rng::from_seed(seed));
            assert_eq!(got, wanted);
            env.step(i64::from(got.0)).unwrap();
        }
    }
    assert!(differs, "the greedy agent's choice makes a difference");
}

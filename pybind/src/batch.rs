//! `playmat.Batch`: the results of a step of many environments, in memory that is allocated once.

use crate::arrays::{Element, ForeignArray, Memory, check_out, overlap, zeros};
use crate::errors::{Result, argument};
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element as NumpyElement, PyArrayDyn};
use playmat_core::info::GameInfo;
use playmat_core::vec::{Buffers, OUTPUTS, ObsType, OutputKind, Rows, Sizes, VecConfig, View};
use pyo3::exceptions::{PyKeyError, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PySlice, PyString, PyTuple};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

/// A result of a batch: its number among the outputs that the engine declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field(usize);

macro_rules! fields {
    ({ $($(#[$doc:meta])* $name:ident: $kind:ident [$($axis:ident),*];)+ } { $($ahead:tt)* }) => {
        impl Field {
            const NAMES: &[&str] = &[$(stringify!($name)),+];
        }

        impl Batch {
            fn new(arrays: [Py<PyAny>; Field::NUM]) -> Batch {
                let [$($name),+] = arrays;
                Batch { $($name),+ }
            }

            fn arrays(&self) -> [&Py<PyAny>; Field::NUM] {
                [$(&self.$name),+]
            }
        }

        impl Places {
            /// The places as slices.
            pub(crate) fn buffers<'a>(&self, dtype: ObsType) -> Buffers<'a> {
                let [$($name),+] = self.fields;
                Buffers {
                    $($name: fields!(@$kind $name, dtype),)+
                    drawn: Place::slice(self.drawn),
                }
            }
        }
    };
    (@observation $place:expr, $dtype:expr) => { Place::rows($place, $dtype) };
    (@$number:ident $place:expr, $dtype:expr) => { Place::slice($place) };
}

playmat_core::batch_outputs!(fields);

impl Field {
    const NUM: usize = Field::NAMES.len();

    fn all() -> impl ExactSizeIterator<Item = Field> {
        (0..Field::NUM).map(Field)
    }

    /// The field of this name, if there is one.
    pub(crate) fn parse(name: &str) -> Option<Field> {
        Field::NAMES.iter().position(|known| *known == name).map(Field)
    }

    fn name(self) -> &'static str {
        Field::NAMES[self.0]
    }

    /// Whether a batch has it by default.
    fn is_default(self, view: View) -> bool {
        match self.name() {
            "final_obs_all" => false,
            "acting" => view == View::Joint,
            "learner" | "learner_reward" => view == View::Single,
            _ => true,
        }
    }
}

/// What a field of a batch looks like.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) element: Element,
    pub(crate) shape: Vec<usize>,
}

impl Form {
    /// The form of a field.
    pub(crate) fn of(field: Field, sizes: &Sizes, config: &VecConfig) -> Form {
        let output = &OUTPUTS[field.0];
        let element = match output.kind {
            OutputKind::Observation if config.dtype == ObsType::F32 => Element::F32,
            OutputKind::Observation => Element::U8,
            OutputKind::Flag => Element::Bool,
            OutputKind::I32 => Element::I32,
            OutputKind::I64 => Element::I64,
            OutputKind::U64 => Element::U64,
            OutputKind::F32 => Element::F32,
        };
        Form { element, shape: output.shape(sizes, config.view) }
    }

    /// The form of the observations of all players.
    pub(crate) fn of_all_observations(sizes: &Sizes, config: &VecConfig) -> Form {
        Form::of(Field::parse("final_obs_all").expect("an output"), sizes, config)
    }

    /// The form of the actions of a step: one per environment; in the joint view one per environment and player, also if there is
    /// only one player.
    pub(crate) fn of_actions(sizes: &Sizes, config: &VecConfig) -> Form {
        let shape =
            if config.view == View::Joint { vec![sizes.envs, sizes.players] } else { vec![sizes.envs] };
        Form { element: Element::I64, shape }
    }

    fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// A new array of zeros; `MemoryError` if there is no memory for it.
    pub(crate) fn zeros<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = &self.shape[..];
        match self.element {
            Element::Bool => zeros::<bool>(py, shape),
            Element::U8 => zeros::<u8>(py, shape),
            Element::I32 => zeros::<i32>(py, shape),
            Element::I64 => zeros::<i64>(py, shape),
            Element::F32 => zeros::<f32>(py, shape),
            _ => zeros::<u64>(py, shape),
        }
    }

    /// As `zeros`, from a multiple of 64 bytes on: what begins there, other libraries read without a copy (DLPack). numpy itself
    /// promises 16.
    pub(crate) fn aligned_zeros<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        const BORDER: usize = 64;
        let count = self.shape.iter().try_fold(BORDER, |count, &n| count.checked_mul(n));
        let Some(count) = count.map(|count| count / BORDER) else { return self.zeros(py) };
        let room = Form { element: self.element, shape: vec![count + BORDER / self.element.size()] };
        // Without memory for it, the error names this shape.
        let Ok(array) = room.zeros(py) else { return self.zeros(py) };
        let Some(memory) = Memory::of(&array) else { return self.zeros(py) };
        let skip = (memory.range().start.wrapping_neg() % BORDER / self.element.size()) as isize;
        let part = array.get_item(PySlice::new(py, skip, skip + count as isize, 1))?;
        part.call_method1("reshape", (PyTuple::new(py, &self.shape)?,))
    }

    /// Element types that the caller's own array may have.
    fn accepted(&self) -> &'static [Element] {
        match self.element {
            Element::Bool => &[Element::Bool, Element::U8, Element::I8],
            Element::U8 => &[Element::U8],
            Element::F32 => &[Element::F32],
            Element::I32 => &[Element::I32],
            Element::I64 => &[Element::I64],
            _ => &[Element::U64],
        }
    }

    /// The caller's own array for this field.
    pub(crate) fn check<'a, 'py>(
        &self,
        field: &str,
        array: &'a Bound<'py, PyAny>,
        foreign: &'a mut ForeignArray<'py>,
    ) -> Result<Memory<'a>> {
        check_out("out", field, array, foreign, self.accepted(), &self.shape)
    }
}

/// Bytes of the arrays that a batch has by default, and of its drawn actions, for one environment.
pub(crate) fn output_bytes(info: &GameInfo) -> usize {
    let config = VecConfig { num_envs: 1, ..VecConfig::default() };
    let sizes = Sizes::new(info, &config);
    let fields = Field::all().filter(|field| field.is_default(config.view));
    let forms = fields.map(|field| Form::of(field, &sizes, &config));
    let drawn = [Form::of_actions(&sizes, &config), Form::of_actions(&sizes, &config)];
    forms.chain(drawn).map(|form| form.len() * form.element.size()).sum()
}

/// Zeroed memory, aligned to cache lines, that lives as long as the last array over it.
pub(crate) struct Arena {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: plain memory. Who writes when is decided by the environment's lock and by the rule, documented at `Batch`, that arrays are
// not read while another thread steps.
#[expect(unsafe_code, reason = "memory that numpy arrays share")]
unsafe impl Send for Arena {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "memory that numpy arrays share")]
unsafe impl Sync for Arena {}

impl Arena {
    /// Start of every block: two lines, since processors fetch them in pairs.
    const ALIGN: usize = 128;

    #[expect(unsafe_code, reason = "memory that numpy arrays share")]
    fn new(bytes: usize) -> PyResult<Arena> {
        let refuse = || PyMemoryError::new_err(format!("a batch of {bytes} bytes does not fit into memory"));
        let layout = Layout::from_size_align(bytes.max(1), Self::ALIGN).map_err(|_| refuse())?;
        // SAFETY: the layout has a size above 0.
        let start = unsafe { alloc_zeroed(layout) };
        Ok(Arena { start: NonNull::new(start).ok_or_else(refuse)?, layout })
    }

    pub(crate) fn range(&self) -> Range<usize> {
        let start = self.start.as_ptr() as usize;
        start..start + self.layout.size()
    }
}

impl Drop for Arena {
    #[expect(unsafe_code, reason = "memory that numpy arrays share")]
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout; nothing refers to it any more.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Keeps the memory of arrays alive: their `base`.
#[pyclass(frozen, module = "playmat._native", name = "_Memory")]
struct Keeper {
    _arena: Arc<Arena>,
}

/// Memory that one field is written to.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: *mut u8,
    len: usize,
    bytes: usize,
}

// SAFETY: an address and a length; only the code that makes slices of it (`Places::buffers`) writes through it.
#[expect(unsafe_code, reason = "an address travels to the thread that steps")]
unsafe impl Send for Place {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "an address travels to the thread that steps")]
unsafe impl Sync for Place {}

impl Place {
    pub(crate) fn of(memory: &Memory<'_>) -> Place {
        Place { start: memory.data(), len: memory.len(), bytes: memory.element.size() }
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len * self.bytes
    }

    /// The rows `from .. from + count` of `rows`.
    pub(crate) fn part(self, from: usize, count: usize, rows: usize) -> Place {
        let row = self.len / rows.max(1);
        assert!((from + count) * row <= self.len);
        Place { start: self.start.wrapping_add(from * row * self.bytes), len: count * row, ..self }
    }

    /// The elements, to write into.
    #[expect(unsafe_code, reason = "a view of memory that numpy arrays share")]
    pub(crate) fn slice<'a, T>(place: Option<Place>) -> &'a mut [T] {
        match place {
            None => &mut [],
            Some(place) => {
                assert_eq!(place.bytes, size_of::<T>(), "fields have fixed element types");
                // SAFETY: start and length of an array of this element type, aligned and contiguous (checked when the place was
                // made), kept alive by the caller for the call; places of one call do not overlap (checked as well), and the
                // lock of the environment keeps other calls of ours away.
                unsafe { std::slice::from_raw_parts_mut(place.start.cast(), place.len) }
            }
        }
    }

    /// Observations, to write into.
    pub(crate) fn rows<'a>(place: Option<Place>, dtype: ObsType) -> Rows<'a> {
        match dtype {
            ObsType::U8 => Rows::U8(Place::slice(place)),
            ObsType::F32 => Rows::F32(Place::slice(place)),
        }
    }
}

/// Where each field goes, if anywhere.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) fields: [Option<Place>; Field::NUM],
    pub(crate) drawn: Option<Place>,
}

impl Places {
    /// Whether something else lies in the memory of a field (or of the draws).
    pub(crate) fn overlaps(&self, range: &Range<usize>) -> bool {
        self.fields.iter().chain([&self.drawn]).flatten().any(|place| overlap(&place.range(), range))
    }
}

/// The results of a step or reset of N environments: one row each. P players, A actions, O observation bytes.
///
/// Every field is an array over memory that belongs to the environment and is **overwritten by its next step or reset**: copy what
/// you want to keep, or pass your own arrays with `out=`. Arrays stay readable after the environment is freed. In the joint view `obs`,
/// `action_mask`, `final_obs` and `final_mask` have one row per environment and player (`[N, P, ..]`). Fields that
/// `VecEnv` was not created with are None.
///
/// When an episode ends, `terminated` or `truncated` is set in its row. With `autoreset="same_step"` the same step starts the next episode,
/// so `obs`, `action_mask` and `player` belong to the next episode, and `final_*`, `episode_return` and `episode_length` describe the one that ended.
/// These fields are meaningful only in such rows; other rows keep their old values.
///
/// >>> import playmat
/// >>> venv = playmat.Game("tic_tac_toe").vec_env(2)
/// >>> first = venv.reset(seed=1).copy()
/// >>> batch = venv.step([4, 0])
/// >>> first.player.tolist(), batch.player.tolist(), batch["action_mask"].sum(axis=1).tolist()
/// ([0, 0], [1, 1], [8, 8])
#[pyclass(frozen, module = "playmat", name = "Batch", mapping)]
pub(crate) struct Batch {
    /// uint8 (or float32) `[N, O]`: the observation of the acting player.
    #[pyo3(get)]
    obs: Py<PyAny>,
    /// bool `[N, A]`: the legal actions of the acting player; all False where the episode is over.
    #[pyo3(get)]
    action_mask: Py<PyAny>,
    /// int32 `[N]`: the acting player, -1 where the episode is over. In the joint view the lowest acting player.
    #[pyo3(get)]
    player: Py<PyAny>,
    /// bool `[N, P]`: the players that the caller must act for now.
    #[pyo3(get)]
    acting: Py<PyAny>,
    /// float32 `[N, P]`: the reward of each player since the last step.
    #[pyo3(get)]
    reward: Py<PyAny>,
    /// bool `[N]`: the rules ended the episode in this step.
    #[pyo3(get)]
    terminated: Py<PyAny>,
    /// bool `[N]`: a limit truncated the episode in this step; never together with `terminated`.
    #[pyo3(get)]
    truncated: Py<PyAny>,
    /// uint8 (or float32) `[N, O]`, where ended: the last observation of `final_player`. Where truncated, the position in which play
    /// would continue: bootstrap from its value.
    #[pyo3(get)]
    final_obs: Py<PyAny>,
    /// uint8 (or float32) `[N, P, O]`, where ended: the last observation of every player. Only on request (`fields`).
    #[pyo3(get)]
    final_obs_all: Py<PyAny>,
    /// int32 `[N]`, where ended: the player of `final_obs` and `final_mask`. Where `max_steps` truncated the episode, the player
    /// that the caller would decide for next, of several the lowest; elsewhere, or if opponents would decide next, the player of the
    /// caller's last decision. In the single-player view always the learner.
    #[pyo3(get)]
    final_player: Py<PyAny>,
    /// bool `[N, A]`, where ended: the legal actions of `final_player` where `max_steps` truncated the episode; all False elsewhere, and
    /// where opponents would decide next. In the joint view the same for each player that the caller would decide for.
    #[pyo3(get)]
    final_mask: Py<PyAny>,
    /// bool `[N, P]`, where ended: the players, opponents included, who would have to decide next where `max_steps` truncated the episode;
    /// all False elsewhere.
    #[pyo3(get)]
    final_acting: Py<PyAny>,
    /// float32 `[N, P]`, where ended: sum of the episode's rewards.
    #[pyo3(get)]
    episode_return: Py<PyAny>,
    /// int32 `[N]`, where ended: decisions of all players in the episode.
    #[pyo3(get)]
    episode_length: Py<PyAny>,
    /// uint64 `[N]`: seed of the running episode; `game.env(seed)` replays it alone.
    #[pyo3(get)]
    episode_seed: Py<PyAny>,
    /// uint64 `[N]`, where ended: seed of the episode that ended.
    #[pyo3(get)]
    final_seed: Py<PyAny>,
    /// int32 `[N, P]`: index of the opponent that plays this player in the running episode, -1 for the caller.
    #[pyo3(get)]
    opponent: Py<PyAny>,
    /// int32 `[N, P]`, where ended: `opponent` of the episode that ended.
    #[pyo3(get)]
    final_opponent: Py<PyAny>,
    /// int32 `[N]`: the only player that the caller plays in the running episode, -1 if it plays several. In the single-player
    /// view, elsewhere on request (`fields`).
    #[pyo3(get)]
    learner: Py<PyAny>,
    /// float32 `[N]`: what the learner earned since the last step; in a step that ended an episode, the learner of the episode that
    /// ended, `final_player`. 0 where the caller plays several players. In the single-player view, elsewhere on request (`fields`).
    #[pyo3(get)]
    learner_reward: Py<PyAny>,
}

impl Batch {
    fn fields(&self, py: Python<'_>) -> impl Iterator<Item = (&'static str, &Py<PyAny>)> {
        let all = Field::NAMES.iter().copied().zip(self.arrays());
        all.filter(move |(_, array)| !array.is_none(py))
    }
}

#[pymethods]
impl Batch {
    /// Names of the fields in the batch.
    fn keys(&self, py: Python<'_>) -> Vec<&'static str> {
        self.fields(py).map(|(name, _)| name).collect()
    }

    /// The field of this name.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let found = Field::parse(name).map(|field| self.arrays()[field.0]).filter(|array| !array.is_none(py));
        found.map(|array| array.clone_ref(py)).ok_or_else(|| {
            PyKeyError::new_err(format!("no field `{name}`; fields: {}", self.keys(py).join(", ")))
        })
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.fields(py).count()
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> bool {
        self.fields(py).any(|(field, _)| field == name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.keys(py).into_pyobject(py)?.try_iter()?.into_any())
    }

    /// A batch with copies of the arrays.
    fn copy(&self, py: Python<'_>) -> Result<Batch> {
        let mut arrays = std::array::from_fn(|_| py.None());
        for (copy, array) in arrays.iter_mut().zip(self.arrays()) {
            if !array.is_none(py) {
                *copy = copied(array.bind(py))?.unbind();
            }
        }
        Ok(Batch::new(arrays))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = String::from("<playmat.Batch");
        for (name, array) in self.fields(py) {
            let array = array.bind(py);
            let kind = array
                .getattr("dtype")
                .map_or_else(|_| crate::arrays::type_text(array), |kind| kind.to_string());
            let shape = array.getattr("shape").map_or_else(|_| String::new(), |shape| shape.to_string());
            text.push_str(&format!(" {name}: {kind}{shape}"));
        }
        Ok(text + ">")
    }
}

/// A copy of an array, or of what was given in the place of one: a tensor that can copy itself, or an array.
fn copied<'py>(array: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
    if let Ok(clone) = array.getattr("clone") {
        return Ok(clone.call0()?);
    }
    let mut foreign = ForeignArray::default();
    foreign.memory("out", array)?;
    let array = foreign.keep().map_or_else(|| array.clone(), |kept| kept.into_bound(array.py()));
    Ok(array.call_method0("copy")?)
}

/// The memory of one environment's own results.
pub(crate) struct Store {
    pub(crate) arena: Arc<Arena>,
    pub(crate) forms: Vec<Form>,
    pub(crate) places: [Option<Place>; Field::NUM],
    /// Two buffers of drawn actions, in turns: one may be the actions of the step that draws into the other.
    pub(crate) drawn: [Place; 2],
    pub(crate) drawn_arrays: [Py<PyAny>; 2],
    pub(crate) batch: Py<Batch>,
}

impl Store {
    /// Memory for the wanted fields, by default all that the view needs.
    pub(crate) fn new(
        py: Python<'_>,
        sizes: &Sizes,
        config: &VecConfig,
        wanted: Option<Vec<String>>,
    ) -> Result<Store> {
        let included: [bool; Field::NUM] = match wanted {
            None => std::array::from_fn(|field| Field(field).is_default(config.view)),
            Some(names) => {
                let mut included = [false; Field::NUM];
                for name in names {
                    let Some(field) = Field::parse(&name) else {
                        return argument(
                            "fields",
                            format!("got `{name}`; allowed: {}", Field::NAMES.join(", ")),
                        );
                    };
                    included[field.0] = true;
                }
                included
            }
        };
        let forms: Vec<Form> = Field::all().map(|field| Form::of(field, sizes, config)).collect();
        let actions = Form::of_actions(sizes, config);

        let mut total = 0usize;
        let mut reserve = |form: &Form| {
            let at = total;
            total += (form.len() * form.element.size()).next_multiple_of(Arena::ALIGN);
            at
        };
        let drawn = [reserve(&actions), reserve(&actions)];
        let offsets: Vec<Option<usize>> =
            forms.iter().zip(included).map(|(form, included)| included.then(|| reserve(form))).collect();
        let arena = Arc::new(Arena::new(total)?);
        let keeper = Bound::new(py, Keeper { _arena: arena.clone() })?.into_any();

        let mut places = [None; Field::NUM];
        let mut arrays = std::array::from_fn(|_| py.None());
        for (i, (form, offset)) in forms.iter().zip(offsets).enumerate() {
            if let Some(offset) = offset {
                places[i] = Some(place(&arena, offset, form));
                arrays[i] = array(&arena, offset, form, keeper.clone()).unbind();
            }
        }
        let batch = Py::new(py, Batch::new(arrays))?;
        Ok(Store {
            forms,
            places,
            drawn: drawn.map(|offset| place(&arena, offset, &actions)),
            drawn_arrays: drawn.map(|offset| array(&arena, offset, &actions, keeper.clone()).unbind()),
            batch,
            arena,
        })
    }

    /// The own places with the caller's arrays in the place of some, the batch that shows them, and what keeps the memory of those
    /// that are no numpy arrays.
    pub(crate) fn with_out<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        reads: Option<&Range<usize>>,
    ) -> Result<(Places, Py<Batch>, Vec<Py<PyAny>>)> {
        let mut places = Places { fields: self.places, drawn: None };
        let Some(out) = out.filter(|out| !out.is_none()) else {
            return Ok((places, self.batch.clone_ref(py), Vec::new()));
        };
        let own = self.batch.get();
        let mut arrays: [Py<PyAny>; Field::NUM] = own.arrays().map(|array| array.clone_ref(py));
        let mut given: Vec<(&'static str, Range<usize>)> = Vec::with_capacity(Field::NUM);
        let mut kept = Vec::new();
        for_each_item(out, |name, array| {
            let Some(field) = Field::parse(name) else {
                return argument(
                    "out",
                    format!("got a field `{name}`; allowed: {}", Field::NAMES.join(", ")),
                );
            };
            let mut foreign = ForeignArray::default();
            let memory = self.forms[field.0].check(name, &array, &mut foreign)?;
            check_apart(name, &memory.range(), &mut given, reads)?;
            places.fields[field.0] = Some(Place::of(&memory));
            kept.extend(foreign.keep());
            arrays[field.0] = array.unbind();
            Ok(())
        })?;
        // The caller may hand back arrays of this very batch, but not one field's for another that is written as well.
        let arena = self.arena.range();
        for (name, range) in given.iter().filter(|(_, range)| overlap(range, &arena)) {
            let same = |place: &&Place| overlap(&place.range(), range);
            let used = places.fields.iter().flatten().filter(same).count();
            if used > 1 || self.drawn.iter().any(|place| overlap(&place.range(), range)) {
                return argument("out", format!("`{name}` shares memory with another field of the batch"));
            }
        }
        Ok((places, Py::new(py, Batch::new(arrays))?, kept))
    }
}

/// Calls `each` with every name and array of a mapping.
pub(crate) fn for_each_item<'py>(
    out: &Bound<'py, PyAny>,
    mut each: impl FnMut(&str, Bound<'py, PyAny>) -> Result<()>,
) -> Result<()> {
    if let Ok(dict) = out.cast::<PyDict>() {
        for (name, array) in dict.iter() {
            each(field_name(&name)?, array)?;
        }
        return Ok(());
    }
    let Ok(mapping) = out.cast::<PyMapping>() else {
        let kind = crate::arrays::type_text(out);
        return argument("out", format!("got {kind}; wanted a mapping from field names to arrays"));
    };
    for item in mapping.items()?.iter() {
        let (name, array) = item.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>()?;
        each(field_name(&name)?, array)?;
    }
    Ok(())
}

fn field_name<'a>(name: &'a Bound<'_, PyAny>) -> Result<&'a str> {
    match name.cast::<PyString>() {
        Ok(name) => Ok(name.to_str()?),
        Err(_) => argument("out", format!("got a field {name}; wanted field names")),
    }
}

/// Registers a caller's array, which must not share memory with the others nor with what is read.
pub(crate) fn check_apart(
    name: &str,
    range: &Range<usize>,
    given: &mut Vec<(&'static str, Range<usize>)>,
    reads: Option<&Range<usize>>,
) -> Result<()> {
    if let Some((other, _)) = given.iter().find(|(_, other)| overlap(other, range)) {
        return argument("out", format!("`{name}` shares memory with `{other}`"));
    }
    if reads.is_some_and(|reads| overlap(reads, range)) {
        return argument("out", format!("`{name}` shares memory with `actions`"));
    }
    let name = Field::NAMES.iter().find(|known| **known == name).copied().unwrap_or("action");
    given.push((name, range.clone()));
    Ok(())
}

#[expect(unsafe_code, reason = "memory that numpy arrays share")]
fn place(arena: &Arena, offset: usize, form: &Form) -> Place {
    assert!(offset + form.len() * form.element.size() <= arena.layout.size());
    // SAFETY: inside the arena, as just checked.
    let start = unsafe { arena.start.as_ptr().add(offset) };
    Place { start, len: form.len(), bytes: form.element.size() }
}

/// The array over a piece of the arena.
fn array<'py>(arena: &Arena, offset: usize, form: &Form, keeper: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let place = place(arena, offset, form);
    match form.element {
        Element::Bool => over::<bool>(place, form, keeper),
        Element::U8 => over::<u8>(place, form, keeper),
        Element::F32 => over::<f32>(place, form, keeper),
        Element::I32 => over::<i32>(place, form, keeper),
        Element::I64 => over::<i64>(place, form, keeper),
        _ => over::<u64>(place, form, keeper),
    }
}

#[expect(unsafe_code, reason = "memory that numpy arrays share")]
fn over<'py, T: NumpyElement>(place: Place, form: &Form, keeper: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    // SAFETY: the place lies in zeroed memory (all element types here have a zero) and is aligned for its elements; the keeper, base
    // of the array, keeps the arena alive.
    unsafe {
        let view = ArrayView::<T, IxDyn>::from_shape_ptr(IxDyn(&form.shape), place.start.cast_const().cast());
        PyArrayDyn::borrow_from_array(&view, keeper).into_any()
    }
}

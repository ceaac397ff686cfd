//! The steps of each operator.

use super::super::kernel::{Packed, Taps};
use super::super::onnx::{Attribute, FLOAT, Node, Refusal, short};
use super::{
    Binary, Builder, Curve, MOST_AXES, MOST_ELEMENTS, MOST_PADDING, MOST_WORK, OPERATORS, Operand, Reduce,
    Step, Value, broadcast_table, checked, product,
};

/// An axis counted from the front, 1 or more: the batch axis is never changed. `axes` counts the batch axis.
fn axis_of(axis: i64, axes: usize) -> Result<usize, Refusal> {
    let found = if axis < 0 { axis.checked_add(axes as i64) } else { Some(axis) };
    match found.and_then(|axis| usize::try_from(axis).ok()) {
        Some(0) => Err("it acts on the batch axis".into()),
        Some(axis) if axis < axes => Ok(axis),
        _ => Err(format!("it has no axis {axis}").into()),
    }
}

impl<'a> Builder<'a> {
    pub(super) fn node(&mut self, node: &Node<'a>) -> Result<(), Refusal> {
        let &[result] = node.outputs.as_slice() else { return Err("it has not exactly one output".into()) };
        if result.is_empty() || self.values.contains_key(result) {
            return Err(format!("its output `{}` exists already", short(result)).into());
        }
        let value = match node.kind {
            "Add" => self.binary(node, Binary::Add)?,
            "Sub" => self.binary(node, Binary::Sub)?,
            "Mul" => self.binary(node, Binary::Mul)?,
            "Div" => self.binary(node, Binary::Div)?,
            "Cast" => self.cast(node)?,
            "Concat" => self.concat(node)?,
            "Conv" => self.conv(node)?,
            "Erf" => self.curve(node, Curve::Erf)?,
            "Exp" => self.curve(node, Curve::Exp)?,
            "Flatten" => self.flatten(node)?,
            "Gather" => self.gather(node)?,
            "Gemm" => self.gemm(node)?,
            "Log" => self.curve(node, Curve::Log)?,
            "MatMul" => self.matmul(node)?,
            "Max" => self.binary(node, Binary::Max)?,
            "Min" => self.binary(node, Binary::Min)?,
            "ReduceMax" => self.reduce(node, Reduce::Max)?,
            "ReduceMean" => self.reduce(node, Reduce::Mean)?,
            "ReduceSum" => self.reduce(node, Reduce::Sum)?,
            "Relu" => self.relu(node)?,
            "Reshape" => self.reshape(node)?,
            "Sigmoid" => self.curve(node, Curve::Sigmoid)?,
            "Slice" => self.slice(node)?,
            "Sqrt" => self.curve(node, Curve::Sqrt)?,
            "Squeeze" => self.squeeze(node)?,
            "Tanh" => self.curve(node, Curve::Tanh)?,
            "Unsqueeze" => self.unsqueeze(node)?,
            "Where" => self.masked(node)?,
            _ => {
                return Err(format!("it is not supported; allowed: {}, Where", OPERATORS.join(", ")).into());
            }
        };
        self.values.insert(result, value);
        Ok(())
    }

    /// Refuses inputs and attributes beyond those that are understood.
    fn only(
        &self,
        node: &Node<'_>,
        inputs: std::ops::RangeInclusive<usize>,
        names: &[&str],
    ) -> Result<(), Refusal> {
        if !inputs.contains(&node.inputs.len()) {
            return Err(format!("it has {} inputs", node.inputs.len()).into());
        }
        match node.attributes.iter().find(|(name, _)| !names.contains(name)) {
            Some((name, _)) => Err(format!("its attribute `{}` is not supported", short(name)).into()),
            None => Ok(()),
        }
    }

    fn int(&self, node: &Node<'_>, name: &str, default: i64) -> Result<i64, Refusal> {
        match node.attributes.iter().find(|attribute| attribute.0 == name) {
            None => Ok(default),
            Some((_, Attribute::Int(value))) => Ok(*value),
            Some(_) => Err(format!("its attribute `{name}` is not an integer").into()),
        }
    }

    fn ints<'n>(&self, node: &'n Node<'_>, name: &str) -> Result<Option<&'n [i64]>, Refusal> {
        match node.attributes.iter().find(|attribute| attribute.0 == name) {
            None => Ok(None),
            Some((_, Attribute::Ints(values))) => Ok(Some(values)),
            Some(_) => Err(format!("its attribute `{name}` is not a list of integers").into()),
        }
    }

    fn value(&self, node: &Node<'_>, at: usize) -> Result<&Value, Refusal> {
        let name = node.inputs.get(at).copied().unwrap_or_default();
        let missing = || format!("its input `{}` comes from nowhere", short(name)).into();
        self.values.get(name).ok_or_else(missing)
    }

    /// An input that depends on the batch: its buffer and shape.
    fn rows(&self, node: &Node<'_>, at: usize) -> Result<(usize, Vec<usize>), Refusal> {
        match self.value(node, at)? {
            Value::Rows(buffer, shape) => Ok((*buffer, shape.clone())),
            _ => Err(format!("its input {at} must be float32 and depend on `obs`").into()),
        }
    }

    fn floats(&self, node: &Node<'_>, at: usize) -> Result<(&[usize], &[f32]), Refusal> {
        match self.value(node, at)? {
            Value::Floats(shape, data) => Ok((shape, data)),
            _ => Err(format!("its input {at} must be a float32 constant").into()),
        }
    }

    fn constants(&self, node: &Node<'_>, at: usize) -> Result<(&[usize], &[i64]), Refusal> {
        match self.value(node, at)? {
            Value::Ints(shape, data) => Ok((shape, data)),
            _ => Err(format!("its input {at} must be an int64 constant").into()),
        }
    }

    fn buffer(&mut self, shape: &[usize]) -> Result<usize, Refusal> {
        let size = checked(shape)?;
        let all = self.sizes.iter().sum::<usize>() + size;
        if all > 4 * MOST_ELEMENTS {
            return Err("the values of a row do not fit into memory".into());
        }
        self.sizes.push(size);
        Ok(self.sizes.len() - 1)
    }

    fn spend(&mut self, work: usize) -> Result<(), Refusal> {
        self.work = self.work.saturating_add(work);
        if self.work > MOST_WORK {
            return Err(format!("a decision takes more than {MOST_WORK} multiplications").into());
        }
        Ok(())
    }

    fn cast(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 1..=1, &["to"])?;
        let &Value::Bytes { from, len } = self.value(node, 0)? else {
            return Err("only `obs` and `greedy` may be cast, and only to float32".into());
        };
        if self.int(node, "to", 0)? != FLOAT {
            return Err("only `obs` and `greedy` may be cast, and only to float32".into());
        }
        let shape = vec![len];
        let to = self.buffer(&shape)?;
        self.steps.push(Step::Numbers { from, to });
        Ok(Value::Rows(to, shape))
    }

    fn binary(&mut self, node: &Node<'_>, kind: Binary) -> Result<Value, Refusal> {
        self.only(node, 2..=2, &[])?;
        // With the batch axis, which is 1 for constants.
        let mut shapes = [Vec::new(), Vec::new()];
        for (at, shape) in shapes.iter_mut().enumerate() {
            *shape = match self.value(node, at)? {
                Value::Rows(_, shape) => [&[usize::MAX], shape.as_slice()].concat(),
                Value::Floats(shape, _) => shape.clone(),
                _ => return Err(format!("its input {at} is not float32").into()),
            };
        }
        let axes = shapes[0].len().max(shapes[1].len());
        for shape in &mut shapes {
            if shape.first() == Some(&usize::MAX) && shape.len() < axes {
                return Err("it mixes rows of the batch: shapes differ in their number of axes".into());
            }
            let missing = axes - shape.len();
            shape.splice(0..0, std::iter::repeat_n(1, missing));
        }
        let rows = |shape: &[usize]| shape.first() == Some(&usize::MAX);
        if !rows(&shapes[0]) && !rows(&shapes[1]) {
            return Err("both inputs are constants".into());
        }
        if shapes.iter().any(|shape| !rows(shape) && shape.first() != Some(&1)) {
            return Err("a constant has a batch axis".into());
        }
        let [first, second] = shapes.map(|shape| shape[1..].to_vec());
        let mut shape = Vec::new();
        for (&a, &b) in first.iter().zip(&second) {
            match (a, b) {
                _ if a == b => shape.push(a),
                (1, _) => shape.push(b),
                (_, 1) => shape.push(a),
                _ => return Err(format!("shapes {first:?} and {second:?} do not fit").into()),
            }
        }
        checked(&shape)?;
        let mut operands = Vec::new();
        for (at, own) in [first, second].iter().enumerate() {
            operands.push(match self.value(node, at)? {
                Value::Rows(buffer, _) if *own == shape => Operand::Same(*buffer),
                Value::Rows(buffer, _) => Operand::Table(*buffer, broadcast_table(&shape, own)),
                Value::Floats(_, data) if data.len() == 1 => Operand::Number(data[0]),
                Value::Floats(_, data) => Operand::Constants(
                    broadcast_table(&shape, own).into_iter().map(|at| data[at as usize]).collect(),
                ),
                _ => return Err("its inputs are not float32".into()),
            });
        }
        let to = self.buffer(&shape)?;
        let (Some(b), Some(a)) = (operands.pop(), operands.pop()) else {
            return Err("it lacks inputs".into());
        };
        self.steps.push(Step::Binary { kind, a, b, to });
        Ok(Value::Rows(to, shape))
    }

    fn relu(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 1..=1, &[])?;
        let (from, shape) = self.rows(node, 0)?;
        let to = self.buffer(&shape)?;
        self.steps.push(Step::Relu { from, to });
        Ok(Value::Rows(to, shape))
    }

    fn curve(&mut self, node: &Node<'_>, kind: Curve) -> Result<Value, Refusal> {
        self.only(node, 1..=1, &[])?;
        let (from, shape) = self.rows(node, 0)?;
        let to = self.buffer(&shape)?;
        // An exponential takes about 32 multiplications.
        self.spend(product(&shape).saturating_mul(32))?;
        self.steps.push(Step::Curve { kind, from, to });
        Ok(Value::Rows(to, shape))
    }

    fn gather(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 2..=2, &["axis"])?;
        let (from, shape) = self.rows(node, 0)?;
        let axis = axis_of(self.int(node, "axis", 0)?, shape.len() + 1)? - 1;
        let (own, places) = self.constants(node, 1)?;
        let own = own.to_vec();
        let size = shape[axis] as i64;
        let mut picked = Vec::new();
        for &place in places {
            if !(-size..size).contains(&place) {
                return Err(format!("it has no element {place}").into());
            }
            picked.push(place.rem_euclid(size) as usize);
        }
        let result = [&shape[..axis], &own, &shape[axis + 1..]].concat();
        self.take(from, &shape, axis, &picked, result)
    }

    /// Picks places along an axis.
    fn take(
        &mut self,
        from: usize,
        shape: &[usize],
        axis: usize,
        picked: &[usize],
        result: Vec<usize>,
    ) -> Result<Value, Refusal> {
        let to = self.buffer(&result)?;
        let (outer, inner) = (product(&shape[..axis]), product(&shape[axis + 1..]));
        let mut table = Vec::new();
        for o in 0..outer {
            for &place in picked {
                let start = (o * shape[axis] + place) * inner;
                table.extend((start..start + inner).map(|at| at as u32));
            }
        }
        self.steps.push(Step::Take { from, table, to });
        Ok(Value::Rows(to, result))
    }

    fn slice(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 4..=4, &[])?;
        let (from, shape) = self.rows(node, 0)?;
        let mut bounds = [0; 3];
        for (at, bound) in bounds.iter_mut().enumerate() {
            let (_, values) = self.constants(node, at + 1)?;
            let &[value] = values else { return Err("it slices several axes".into()) };
            *bound = value;
        }
        let [start, end, axis] = bounds;
        let axis = axis_of(axis, shape.len() + 1)? - 1;
        let size = shape[axis] as i64;
        let clamp = |at: i64| if at < 0 { at.saturating_add(size) } else { at }.clamp(0, size) as usize;
        let (start, end) = (clamp(start), clamp(end));
        let picked: Vec<usize> = (start..end.max(start)).collect();
        let mut result = shape.clone();
        result[axis] = picked.len();
        self.take(from, &shape, axis, &picked, result)
    }

    fn concat(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 1..=64, &["axis"])?;
        let (_, mut shape) = self.rows(node, 0)?;
        let axis = axis_of(self.int(node, "axis", 0)?, shape.len() + 1)? - 1;
        let (times, inner) = (product(&shape[..axis]), product(&shape[axis + 1..]));
        let mut parts = Vec::new();
        let mut size = 0usize;
        for at in 0..node.inputs.len() {
            let (from, own) = self.rows(node, at)?;
            let fits = own.len() == shape.len()
                && own.iter().zip(&shape).enumerate().all(|(at, (a, b))| at == axis || a == b);
            if !fits {
                return Err(format!("shapes {own:?} and {shape:?} do not fit").into());
            }
            size += own[axis];
            parts.push((from, own[axis] * inner));
        }
        shape[axis] = size;
        let to = self.buffer(&shape)?;
        self.steps.push(Step::Concat { parts, times, to });
        Ok(Value::Rows(to, shape))
    }

    /// The same buffer in another shape.
    fn view(&self, from: usize, old: &[usize], shape: Vec<usize>) -> Result<Value, Refusal> {
        if checked(&shape)? != product(old) {
            return Err(format!("{old:?} does not fit into {shape:?}").into());
        }
        Ok(Value::Rows(from, shape))
    }

    fn reshape(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 2..=2, &["allowzero"])?;
        let (from, shape) = self.rows(node, 0)?;
        let (_, wanted) = self.constants(node, 1)?;
        let Some((&batch, rest)) = wanted.split_first() else { return Err("it leaves no axis".into()) };
        let mut result = Vec::new();
        let mut open = None;
        for (at, &size) in rest.iter().enumerate() {
            result.push(match size {
                -1 if open.replace(at).is_some() => return Err("two sizes are left open".into()),
                -1 => 1,
                0 => *shape.get(at).ok_or("a size of 0 has no axis to copy")?,
                _ => usize::try_from(size).map_err(|_| format!("a size is {size}"))?,
            });
        }
        let known = checked(&result)?;
        match (batch, open) {
            (0, Some(at)) if known > 0 && product(&shape).is_multiple_of(known) => {
                result[at] = product(&shape) / known;
            }
            // The open size is the batch; the others take up a row.
            (0 | -1, None) => {}
            _ => return Err("it mixes rows of the batch".into()),
        }
        self.view(from, &shape, result)
    }

    fn flatten(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 1..=1, &["axis"])?;
        let (from, shape) = self.rows(node, 0)?;
        if self.int(node, "axis", 1)? != 1 {
            return Err("it mixes rows of the batch".into());
        }
        self.view(from, &shape, vec![product(&shape)])
    }

    fn axes(&self, node: &Node<'_>, axes: usize) -> Result<Vec<usize>, Refusal> {
        let (_, values) = self.constants(node, 1)?;
        let mut found = values.iter().map(|&axis| axis_of(axis, axes)).collect::<Result<Vec<_>, _>>()?;
        found.sort_unstable();
        if found.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("an axis is given twice".into());
        }
        Ok(found)
    }

    fn unsqueeze(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 2..=2, &[])?;
        let (from, shape) = self.rows(node, 0)?;
        let new = self.constants(node, 1)?.1.len();
        let mut result = shape.clone();
        for axis in self.axes(node, shape.len() + 1 + new.min(MOST_AXES))? {
            if axis - 1 > result.len() {
                return Err(format!("it has no axis {axis}").into());
            }
            result.insert(axis - 1, 1);
        }
        self.view(from, &shape, result)
    }

    fn squeeze(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 2..=2, &[])?;
        let (from, shape) = self.rows(node, 0)?;
        let mut result = shape.clone();
        for axis in self.axes(node, shape.len() + 1)?.into_iter().rev() {
            if result.remove(axis - 1) != 1 {
                return Err(format!("axis {axis} has not size 1").into());
            }
        }
        self.view(from, &shape, result)
    }

    fn reduce(&mut self, node: &Node<'_>, kind: Reduce) -> Result<Value, Refusal> {
        self.only(node, 1..=2, &["axes", "keepdims"])?;
        let (from, shape) = self.rows(node, 0)?;
        let axes = match self.ints(node, "axes")? {
            Some(axes) if node.inputs.len() == 1 && kind != Reduce::Sum => {
                axes.iter().map(|&axis| axis_of(axis, shape.len() + 1)).collect::<Result<Vec<_>, _>>()?
            }
            None if node.inputs.len() == 2 && kind == Reduce::Sum => self.axes(node, shape.len() + 1)?,
            _ => return Err("its axes are not named as in operator sets 13 to 17".into()),
        };
        let kept: Vec<usize> = shape
            .iter()
            .enumerate()
            .map(|(at, &size)| if axes.contains(&(at + 1)) { 1 } else { size })
            .collect();
        let count = product(&shape) / product(&kept).max(1);
        if count == 0 {
            return Err("it has nothing to reduce".into());
        }
        let table = broadcast_table(&shape, &kept);
        let result = match self.int(node, "keepdims", 1)? {
            0 => shape
                .iter()
                .enumerate()
                .filter(|(at, _)| !axes.contains(&(at + 1)))
                .map(|(_, &s)| s)
                .collect(),
            _ => kept,
        };
        let to = self.buffer(&result)?;
        self.steps.push(Step::Reduce { kind, from, table, count, to });
        Ok(Value::Rows(to, result))
    }

    fn gemm(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 3..=3, &["transB"])?;
        let (from, shape) = self.rows(node, 0)?;
        let transposed = self.int(node, "transB", 0)? != 0;
        let (weight_shape, weights) = self.floats(node, 1)?;
        let &[a, b] = weight_shape else { return Err("its weights are not a matrix".into()) };
        let (outputs, inputs) = if transposed { (a, b) } else { (b, a) };
        let (bias_shape, bias) = self.floats(node, 2)?;
        if shape != [inputs] || bias_shape != [outputs] {
            return Err(format!("shapes {shape:?}, [{a}, {b}] and {bias_shape:?} do not fit").into());
        }
        let packed = Packed::new(weights, bias, inputs, outputs, transposed);
        self.linear(from, 1, packed, vec![outputs])
    }

    fn linear(
        &mut self,
        from: usize,
        rows: usize,
        packed: Packed,
        shape: Vec<usize>,
    ) -> Result<Value, Refusal> {
        self.spend(rows.saturating_mul(packed.work()))?;
        let to = self.buffer(&shape)?;
        self.steps.push(Step::Linear { from, rows, packed, to });
        Ok(Value::Rows(to, shape))
    }

    fn matmul(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 2..=2, &[])?;
        let (a, shape) = self.rows(node, 0)?;
        let Some((&inner, outer)) = shape.split_last() else { return Err("its input has one axis".into()) };
        match self.value(node, 1)? {
            Value::Floats(own, weights) => {
                let &[inputs, outputs] = own.as_slice() else {
                    return Err("its constant is not a matrix".into());
                };
                if inputs != inner {
                    return Err(format!("shapes {shape:?} and {own:?} do not fit").into());
                }
                let packed = Packed::new(weights, &vec![0.0; outputs], inputs, outputs, false);
                self.linear(a, product(outer), packed, [outer, &[outputs]].concat())
            }
            Value::Rows(b, own) => {
                let b = *b;
                // Matrices, one or several per row of the batch: the heads of an attention.
                let (Some((many, &[m, k])), Some((others, &[other, n]))) =
                    (shape.split_last_chunk::<2>(), own.split_last_chunk::<2>())
                else {
                    return Err("its inputs are not matrices".into());
                };
                if k != other || many != others {
                    return Err(format!("shapes {shape:?} and {own:?} do not fit").into());
                }
                let batch = product(many);
                self.spend(batch.saturating_mul(m).saturating_mul(k).saturating_mul(n))?;
                let result = [many, &[m, n]].concat();
                let to = self.buffer(&result)?;
                self.steps.push(Step::Product { a, b, batch, sizes: [m, k, n], to });
                Ok(Value::Rows(to, result))
            }
            _ => Err("its second input is not float32".into()),
        }
    }

    fn conv(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        let ones = ["strides", "dilations"];
        self.only(node, 3..=3, &["pads", "strides", "dilations", "group", "kernel_shape"])?;
        for name in ones {
            if self.ints(node, name)?.is_some_and(|values| values.iter().any(|&value| value != 1)) {
                return Err(format!("its attribute `{name}` is not 1").into());
            }
        }
        if self.int(node, "group", 1)? != 1 {
            return Err("its attribute `group` is not 1".into());
        }
        let pads = match self.ints(node, "pads")? {
            None => [0; 4],
            Some(&[top, left, bottom, right]) => [top, left, bottom, right],
            Some(_) => return Err("its attribute `pads` has not four numbers".into()),
        };
        if pads.iter().any(|pad| !(0..=MOST_PADDING).contains(pad)) {
            return Err(format!("its attribute `pads` is beyond 0 to {MOST_PADDING}").into());
        }
        let (from, shape) = self.rows(node, 0)?;
        let (weight_shape, weights) = self.floats(node, 1)?;
        let (bias_shape, bias) = self.floats(node, 2)?;
        let (&[channels, height, width], &[outputs, inputs, rows, columns]) =
            (shape.as_slice(), weight_shape)
        else {
            return Err("it is not two-dimensional".into());
        };
        let [top, left, bottom, right] = pads.map(|pad| pad as usize);
        let size = (height + top + bottom, width + left + right);
        let fits = channels == inputs && channels > 0 && bias_shape == [outputs] && rows > 0 && columns > 0;
        if !fits || rows > size.0 || columns > size.1 {
            return Err(format!("shapes {shape:?}, {weight_shape:?} and {bias_shape:?} do not fit").into());
        }
        if self.ints(node, "kernel_shape")?.is_some_and(|own| own != [rows as i64, columns as i64]) {
            return Err("its attribute `kernel_shape` is not that of its weights".into());
        }
        checked(&[channels, size.0, size.1])?;
        let result = vec![outputs, size.0 - rows + 1, size.1 - columns + 1];
        checked(&result)?;
        let work = product(&result).saturating_mul(channels * rows * columns);
        let taps =
            Taps::new(weights, bias, [outputs, channels, rows, columns], [height, width], [top, left], size);
        self.spend(work)?;
        let to = self.buffer(&result)?;
        self.steps.push(Step::Conv { from, taps, to });
        Ok(Value::Rows(to, result))
    }

    /// `Where(mask, logits, number)`: the logits as they are, because the readers of logits ignore illegal actions.
    fn masked(&mut self, node: &Node<'_>) -> Result<Value, Refusal> {
        self.only(node, 3..=3, &[])?;
        let (from, shape) = self.rows(node, 1)?;
        let fits = matches!(self.value(node, 0)?, Value::Mask) && shape == [self.actions];
        if !fits || self.floats(node, 2)?.1.len() != 1 {
            return Err("only `mask`, logits and a number may be its inputs".into());
        }
        Ok(Value::Rows(from, shape))
    }
}

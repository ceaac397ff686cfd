//! Reads the parts of an ONNX file that a network needs: the graph, its constants and the metadata.
//!
//! A file may hold any bytes: every length is checked, and a part that is unknown and would change a result is refused.

use std::borrow::Cow;

/// Why bytes are refused.
pub(super) type Refusal = Cow<'static, str>;

/// A parsed file.
#[derive(Debug, Default)]
pub(super) struct Model<'a> {
    pub(super) opset: i64,
    /// Names and values, in the order of the file.
    pub(super) metadata: Vec<(&'a str, &'a str)>,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) constants: Vec<Constant<'a>>,
    pub(super) inputs: Vec<Tensor<'a>>,
    pub(super) outputs: Vec<Tensor<'a>>,
}

/// An operator with the names of its inputs and outputs.
#[derive(Debug, Default)]
pub(super) struct Node<'a> {
    pub(super) kind: &'a str,
    pub(super) inputs: Vec<&'a str>,
    pub(super) outputs: Vec<&'a str>,
    pub(super) attributes: Vec<(&'a str, Attribute)>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attribute {
    Int(i64),
    Ints(Vec<i64>),
    /// Any other kind.
    Other,
}

/// A constant tensor.
#[derive(Debug)]
pub(super) struct Constant<'a> {
    pub(super) name: &'a str,
    pub(super) shape: Vec<usize>,
    pub(super) data: Data,
}

/// The elements of a constant.
#[derive(Clone, Debug)]
pub(super) enum Data {
    F32(Vec<f32>),
    I64(Vec<i64>),
}

/// An input or output of the graph.
#[derive(Debug, Default)]
pub(super) struct Tensor<'a> {
    pub(super) name: &'a str,
    /// Number of the element type in ONNX.
    pub(super) dtype: i64,
    /// Sizes; `None` for one that is named, such as the batch.
    pub(super) shape: Vec<Option<i64>>,
}

/// Element types of ONNX that occur here.
pub(super) const FLOAT: i64 = 1;
pub(super) const UINT8: i64 = 2;
pub(super) const INT64: i64 = 7;
pub(super) const BOOL: i64 = 9;

/// Most elements of a constant, bytes of an observation times units of a layer included.
const MOST_ELEMENTS: usize = 1 << 26;

/// One field of a message.
#[derive(Clone, Copy)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Fixed32([u8; 4]),
}

impl<'a> Field<'a> {
    fn bytes(self) -> Result<&'a [u8], Refusal> {
        match self {
            Field::Bytes(bytes) => Ok(bytes),
            _ => Err("a field has a wrong wire type".into()),
        }
    }

    fn text(self) -> Result<&'a str, Refusal> {
        std::str::from_utf8(self.bytes()?).map_err(|_| "a text is not UTF-8".into())
    }

    fn int(self) -> Result<i64, Refusal> {
        match self {
            Field::Number(number) => Ok(number as i64),
            _ => Err("a field has a wrong wire type".into()),
        }
    }

    /// Adds the integers of a repeated field, packed or not.
    fn ints(self, to: &mut Vec<i64>) -> Result<(), Refusal> {
        match self {
            Field::Number(number) => to.push(number as i64),
            Field::Bytes(mut rest) => {
                while !rest.is_empty() {
                    to.push(varint(&mut rest)? as i64);
                }
            }
            Field::Fixed32(_) => return Err("a field has a wrong wire type".into()),
        }
        Ok(())
    }
}

/// Where a field is longer than what is left.
const CUT: &str = "it is damaged or incomplete: it ends inside a field";

fn varint(rest: &mut &[u8]) -> Result<u64, Refusal> {
    let mut number = 0u64;
    for place in 0..10 {
        let (&byte, after) = rest.split_first().ok_or(CUT)?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err("a number has more than ten bytes".into())
}

fn take<'a>(rest: &mut &'a [u8], length: u64) -> Result<&'a [u8], Refusal> {
    let found = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
    let (taken, after) = found.ok_or(CUT)?;
    *rest = after;
    Ok(taken)
}

/// The fields of a message, by number.
fn fields<'a>(
    mut rest: &'a [u8],
    mut each: impl FnMut(u64, Field<'a>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    while !rest.is_empty() {
        let key = varint(&mut rest)?;
        let field = match key & 7 {
            0 => Field::Number(varint(&mut rest)?),
            1 => {
                take(&mut rest, 8)?;
                continue;
            }
            2 => {
                let length = varint(&mut rest)?;
                Field::Bytes(take(&mut rest, length)?)
            }
            5 => {
                let taken = take(&mut rest, 4)?;
                Field::Fixed32([taken[0], taken[1], taken[2], taken[3]])
            }
            _ => return Err("it is not an ONNX file: a field has an unknown wire type".into()),
        };
        each(key >> 3, field)?;
    }
    Ok(())
}

impl<'a> Model<'a> {
    /// Parses the bytes of a file.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Model<'a>, Refusal> {
        let mut model = Model::default();
        let mut has_graph = false;
        fields(bytes, |number, field| {
            match number {
                7 => {
                    has_graph = true;
                    model.graph(field.bytes()?)?;
                }
                8 => {
                    let (mut domain, mut version) = ("", 0);
                    fields(field.bytes()?, |number, field| {
                        match number {
                            1 => domain = field.text()?,
                            2 => version = field.int()?,
                            _ => {}
                        }
                        Ok(())
                    })?;
                    if matches!(domain, "" | "ai.onnx") {
                        model.opset = version;
                    }
                }
                14 => {
                    let (mut key, mut value) = ("", "");
                    fields(field.bytes()?, |number, field| {
                        match number {
                            1 => key = field.text()?,
                            2 => value = field.text()?,
                            _ => {}
                        }
                        Ok(())
                    })?;
                    model.metadata.push((key, value));
                }
                _ => {}
            }
            Ok(())
        })?;
        if !has_graph {
            return Err("it holds no graph, so it is not an ONNX file".into());
        }
        Ok(model)
    }

    fn graph(&mut self, bytes: &'a [u8]) -> Result<(), Refusal> {
        fields(bytes, |number, field| {
            match number {
                1 => self.nodes.push(node(field.bytes()?)?),
                5 => self.constants.push(constant(field.bytes()?)?),
                11 => self.inputs.push(tensor(field.bytes()?)?),
                12 => self.outputs.push(tensor(field.bytes()?)?),
                15 => return Err("it has sparse constants".into()),
                _ => {}
            }
            Ok(())
        })
    }
}

fn node(bytes: &[u8]) -> Result<Node<'_>, Refusal> {
    let mut node = Node::default();
    fields(bytes, |number, field| {
        match number {
            1 => node.inputs.push(field.text()?),
            2 => node.outputs.push(field.text()?),
            4 => node.kind = field.text()?,
            5 => {
                let (mut name, mut value) = ("", None);
                let (mut ints, mut kind) = (Vec::new(), 0);
                fields(field.bytes()?, |number, field| {
                    match number {
                        1 => name = field.text()?,
                        3 => value = Some(Attribute::Int(field.int()?)),
                        8 => field.ints(&mut ints)?,
                        20 => kind = field.int()?,
                        _ => {}
                    }
                    Ok(())
                })?;
                // Zero is a number that writers may leave out; so is an empty list.
                let value = match kind {
                    2 => value.unwrap_or(Attribute::Int(0)),
                    7 => Attribute::Ints(ints),
                    _ => Attribute::Other,
                };
                node.attributes.push((name, value));
            }
            7 if !matches!(field.text()?, "" | "ai.onnx") => {
                return Err(format!("it has an operator of the domain `{}`", short(field.text()?)).into());
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(node)
}

fn constant(bytes: &[u8]) -> Result<Constant<'_>, Refusal> {
    let (mut dims, mut kind, mut name) = (Vec::new(), 0, "");
    let (mut floats, mut ints): (Vec<f32>, Vec<i64>) = (Vec::new(), Vec::new());
    let mut raw: Option<&[u8]> = None;
    let mut external = false;
    fields(bytes, |number, field| {
        match number {
            1 => field.ints(&mut dims)?,
            2 => kind = field.int()?,
            4 => match field {
                Field::Fixed32(bytes) => floats.push(f32::from_le_bytes(bytes)),
                _ => floats.extend(four_bytes(field.bytes()?)?),
            },
            7 => field.ints(&mut ints)?,
            8 => name = field.text()?,
            9 => raw = Some(field.bytes()?),
            13 => external = true,
            14 => external |= field.int()? != 0,
            _ => {}
        }
        Ok(())
    })?;
    let refuse = |reason: &str| Err(format!("constant `{}` {reason}", short(name)).into());
    if external {
        return refuse("lies in another file");
    }
    let mut elements = 1usize;
    let mut shape = Vec::new();
    for dim in dims {
        let size = usize::try_from(dim).ok();
        let all = size.and_then(|size| elements.checked_mul(size)).filter(|&all| all <= MOST_ELEMENTS);
        let (Some(size), Some(all)) = (size, all) else { return refuse("has an impossible shape") };
        elements = all;
        shape.push(size);
    }
    let data = match kind {
        FLOAT => Data::F32(match raw {
            Some(raw) => four_bytes(raw)?,
            None => floats,
        }),
        INT64 => Data::I64(match raw {
            Some(raw) => {
                let (whole, rest) = raw.as_chunks::<8>();
                if !rest.is_empty() {
                    return refuse("has a broken length");
                }
                whole.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect()
            }
            None => ints,
        }),
        _ => return refuse("is neither float32 nor int64"),
    };
    let found = match &data {
        Data::F32(values) => {
            if values.iter().any(|value| !value.is_finite()) {
                return refuse("has elements that are not finite");
            }
            values.len()
        }
        Data::I64(values) => values.len(),
    };
    if found != elements {
        return refuse("has another number of elements than its shape says");
    }
    Ok(Constant { name, shape, data })
}

fn four_bytes(raw: &[u8]) -> Result<Vec<f32>, Refusal> {
    let (whole, rest) = raw.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("a constant has a broken length".into());
    }
    Ok(whole.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

fn tensor(bytes: &[u8]) -> Result<Tensor<'_>, Refusal> {
    let mut tensor = Tensor::default();
    fields(bytes, |number, field| {
        match number {
            1 => tensor.name = field.text()?,
            2 => fields(field.bytes()?, |number, field| {
                if number != 1 {
                    return Ok(());
                }
                fields(field.bytes()?, |number, field| {
                    match number {
                        1 => tensor.dtype = field.int()?,
                        2 => fields(field.bytes()?, |number, field| {
                            if number == 1 {
                                let mut size = None;
                                fields(field.bytes()?, |number, field| {
                                    if number == 1 {
                                        size = Some(field.int()?);
                                    }
                                    Ok(())
                                })?;
                                tensor.shape.push(size);
                            }
                            Ok(())
                        })?,
                        _ => {}
                    }
                    Ok(())
                })
            })?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(tensor)
}

/// The beginning of a text that a message repeats.
pub(super) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

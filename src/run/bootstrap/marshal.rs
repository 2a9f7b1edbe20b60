//! Values as Python's `marshal` reads them: of its format, the few types whose form never changed.

use std::ffi::{OsStr, OsString};

/// A value on its way to Python.
pub(super) enum Value<'a> {
    None,
    Bool(bool),
    Int(i32),
    Str(String),
    /// Text of the system, as Python decodes it: what is no text comes as lone surrogates.
    Os(&'a OsStr),
    /// The same, of its own.
    Owned(OsString),
    List(Vec<Value<'a>>),
    Dict(Vec<(&'static str, Value<'a>)>),
}

impl Value<'_> {
    /// Appends the value.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::None => out.push(b'N'),
            Self::Bool(true) => out.push(b'T'),
            Self::Bool(false) => out.push(b'F'),
            Self::Int(number) => {
                out.push(b'i');
                out.extend_from_slice(&number.to_le_bytes());
            }
            Self::Str(text) => write_text(text.as_bytes(), out),
            Self::Os(text) => write_text(&with_surrogates(text), out),
            Self::Owned(text) => write_text(&with_surrogates(text), out),
            Self::List(values) => {
                out.push(b'[');
                write_size(values.len(), out);
                for value in values {
                    value.write(out);
                }
            }
            Self::Dict(pairs) => {
                out.push(b'{');
                for (key, value) in pairs {
                    write_text(key.as_bytes(), out);
                    value.write(out);
                }
                out.push(b'0');
            }
        }
    }
}

fn write_text(utf8: &[u8], out: &mut Vec<u8>) {
    out.push(b'u');
    write_size(utf8.len(), out);
    out.extend_from_slice(utf8);
}

fn write_size(size: usize, out: &mut Vec<u8>) {
    let size = i32::try_from(size).expect("what is handed over is far smaller than 2 GiB");
    out.extend_from_slice(&size.to_le_bytes());
}

/// The bytes of text with each byte that is no UTF-8 as the surrogate U+DC80 to U+DCFF (`surrogateescape`), in the form
/// that UTF-8 would give it (`surrogatepass`).
fn with_surrogates(text: &OsStr) -> Vec<u8> {
    let mut utf8 = Vec::with_capacity(text.len());
    for chunk in text.as_encoded_bytes().utf8_chunks() {
        utf8.extend_from_slice(chunk.valid().as_bytes());
        for byte in chunk.invalid() {
            utf8.extend_from_slice(&[0xed, 0xb0 | (byte >> 6), 0x80 | (byte & 0x3f)]);
        }
    }
    utf8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_form_that_marshal_reads() {
        let value = Value::Dict(vec![
            (
                "a",
                Value::List(vec![Value::None, Value::Bool(true), Value::Int(-2)]),
            ),
            ("b", Value::Str("é".to_owned())),
        ]);
        let mut bytes = Vec::new();
        value.write(&mut bytes);
        assert_eq!(
            bytes,
            b"{u\x01\0\0\0a[\x03\0\0\0NTi\xfe\xff\xff\xffu\x01\0\0\0bu\x02\0\0\0\xc3\xa90"
        );
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_become_surrogates() {
        use std::os::unix::ffi::OsStrExt;
        // U+DCFF and U+DC80.
        let text = OsStr::from_bytes(b"a\xff\x80");
        assert_eq!(with_surrogates(text), b"a\xed\xb3\xbf\xed\xb2\x80");
    }
}

//! Bytes as Python source.

/// Appends a Python literal of `bytes`. Line feeds stay as they are, so that no line of it is longer than the code's.
pub(super) fn push(program: &mut Vec<u8>, bytes: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    program.extend_from_slice(b"b'''");
    for byte in bytes {
        match byte {
            b'\n' | b'\t' | b' '..=b'&' | b'('..=b'[' | b']'..=b'~' => program.push(*byte),
            b'\'' | b'\\' => program.extend_from_slice(&[b'\\', *byte]),
            _ => {
                let (high, low) = (usize::from(byte >> 4), usize::from(byte & 15));
                program.extend_from_slice(&[b'\\', b'x', HEX[high], HEX[low]]);
            }
        }
    }
    program.extend_from_slice(b"'''");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_holds_every_byte() {
        let mut literal = Vec::new();
        push(&mut literal, b"a\n'\\\r\0\xff");
        assert_eq!(literal, b"b'''a\n\\'\\\\\\x0d\\x00\\xff'''");
    }
}

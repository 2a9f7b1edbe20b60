//! How deep a source nests, before it is parsed.
//!
//! Reading a tree takes stack and memory for each level. The estimate is a quick scan that knows strings, brackets and
//! chains of operators; it may count too much, and too little only for what Python refuses to read.

/// A deeper source is not reviewed. Python's own limits are far below.
pub(super) const DEEPEST: usize = 20_000;

/// Words that nest what follows them.
const NESTING: [&[u8]; 6] = [b"not", b"await", b"lambda", b"if", b"else", b"async"];

enum Frame {
    /// In brackets, with the operators since the last comma.
    Brackets { chain: usize },
    /// In braces of an f-string.
    Field { chain: usize },
    /// In the text of an f-string.
    Text { quote: u8, triple: bool },
    /// In the format of a field.
    Format,
}

struct Scan<'s> {
    bytes: &'s [u8],
    at: usize,
    frames: Vec<Frame>,
    /// The chain outside brackets.
    chain: usize,
    /// Of all frames.
    total: usize,
    deepest: usize,
    indent: usize,
}

/// An upper bound of how deep `source` nests.
pub(super) fn nesting(source: &str) -> usize {
    let mut scan = Scan {
        bytes: source.as_bytes(),
        at: 0,
        frames: Vec::new(),
        chain: 0,
        total: 0,
        deepest: 0,
        indent: 0,
    };
    scan.line_start();
    while let Some(&byte) = scan.bytes.get(scan.at) {
        match scan.frames.last() {
            Some(&Frame::Text { quote, triple }) => scan.text(byte, quote, triple),
            Some(Frame::Format) => scan.format(byte),
            _ => scan.code(byte),
        }
    }
    scan.deepest + scan.indent
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn link(&mut self) {
        match self.frames.last_mut() {
            Some(Frame::Brackets { chain } | Frame::Field { chain }) => *chain += 1,
            _ => self.chain += 1,
        }
        self.total += 1;
        self.deepest = self.deepest.max(self.total);
    }

    fn unlink(&mut self) {
        let chain = match self.frames.last_mut() {
            Some(Frame::Brackets { chain } | Frame::Field { chain }) => chain,
            _ => &mut self.chain,
        };
        self.total -= std::mem::take(chain);
    }

    fn open(&mut self, frame: Frame) {
        self.frames.push(frame);
        self.total += 1;
        self.deepest = self.deepest.max(self.total);
    }

    fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.total -= 1;
            if let Frame::Brackets { chain } | Frame::Field { chain } = frame {
                self.total -= chain;
            }
        }
    }

    fn line_start(&mut self) {
        let rest = &self.bytes[self.at..];
        let blank = rest.iter().take_while(|b| matches!(b, b' ' | b'\t'));
        self.indent = self.indent.max(blank.count());
    }

    fn code(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.open(Frame::Brackets { chain: 0 }),
            b')' | b']' | b'}' => {
                self.close();
                // What follows is a call or an index of it: one deeper on the left.
                self.link();
            }
            b'#' => return self.skip_line(),
            b'"' | b'\'' => return self.string(false),
            b',' | b';' => self.unlink(),
            b':' if matches!(self.frames.last(), Some(Frame::Field { .. })) => {
                self.open(Frame::Format);
            }
            b'\n' | b'\r' => {
                self.at += 1;
                if self.frames.is_empty() {
                    self.unlink();
                    self.line_start();
                }
                return;
            }
            b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'~' | b'.' | b'<'
            | b'>' => self.link(),
            b'\\' => self.at += 1,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => return self.word(),
            _ => {}
        }
        self.at += 1;
    }

    fn word(&mut self) {
        let start = self.at;
        while matches!(self.peek(0), b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        if matches!(self.peek(0), b'"' | b'\'') && word.len() <= 2 {
            let formatted = word.iter().any(|b| matches!(b, b'f' | b'F' | b't' | b'T'));
            return self.string(formatted);
        }
        if NESTING.contains(&word) {
            self.link();
        }
    }

    fn string(&mut self, formatted: bool) {
        let quote = self.peek(0);
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        if formatted {
            return self.open(Frame::Text { quote, triple });
        }
        while self.at < self.bytes.len() && !self.string_ends(quote, triple) {}
    }

    /// Steps over one character of a string. Whether it was the end of the string.
    fn string_ends(&mut self, quote: u8, triple: bool) -> bool {
        let byte = self.peek(0);
        if byte == b'\\' {
            self.at += 2;
        } else if byte == quote && !triple {
            self.at += 1;
            return true;
        } else if byte == quote && self.peek(1) == quote && self.peek(2) == quote {
            self.at += 3;
            return true;
        } else if byte == b'\n' && !triple {
            // Never closed: Python refuses it, and the next line is code again.
            return true;
        } else {
            self.at += 1;
        }
        false
    }

    fn text(&mut self, byte: u8, quote: u8, triple: bool) {
        match byte {
            b'{' if self.peek(1) == b'{' => self.at += 2,
            b'{' => {
                self.open(Frame::Field { chain: 0 });
                self.at += 1;
            }
            _ => {
                if self.string_ends(quote, triple) {
                    self.close();
                }
            }
        }
    }

    fn format(&mut self, byte: u8) {
        match byte {
            b'{' => self.open(Frame::Field { chain: 0 }),
            b'}' => {
                // The format, and the field that it belongs to.
                self.close();
                self.close();
            }
            // Never closed.
            b'\n' | b'\r' => self.close(),
            _ => {}
        }
        self.at += 1;
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_and_chains_count() {
        let deep = |part: &str| nesting(&part.repeat(1000));
        for part in [
            "(",
            "[",
            "{",
            "-",
            "not ",
            "1+",
            "a.",
            "f()",
            "a[0]",
            "1 if 1 else ",
            "lambda:",
            "await ",
            "f'{",
        ] {
            assert!(deep(part) >= 900, "{part}: {}", deep(part));
        }
    }

    #[test]
    fn lists_strings_and_lines_do_not() {
        for part in [
            "1,",
            "-1,\n",
            "f(x)\n",
            "'((('\n",
            "# (((\n",
            "'''(((\n'''\n",
            "f'{x:>10}'\n",
            "x = {'a': 1}\n",
            "f'{{' \n",
            "f\"{d['a']}\"\n",
            "f'{x:\">3}'\n",
        ] {
            let whole = nesting(&part.repeat(1000));
            assert!(whole < 20, "{part}: {whole}");
        }
    }
}

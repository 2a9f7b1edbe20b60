//! What the hook tells pi of the attempts that it refused: a line of JSON each, on a pipe that the program has too.
//!
//! A program can write there as well. All that it gains is to be ended and to have a person asked.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::unix::output_pipe;
use crate::approval::guard::Stop;

/// The most bytes that are taken of all reports.
const MOST_BYTES: usize = 256 * 1024;

/// pi's end of the pipe.
pub(super) struct Reports {
    pipe: Option<OwnedFd>,
    /// The beginning of a line whose end has not come.
    begun: Vec<u8>,
    taken: usize,
    stops: Vec<Stop>,
}

impl Reports {
    /// With the program's end.
    pub(super) fn new() -> std::io::Result<(Self, OwnedFd)> {
        let (reader, writer) = output_pipe()?;
        let reports = Self {
            pipe: Some(reader),
            begun: Vec::new(),
            taken: 0,
            stops: Vec::new(),
        };
        Ok((reports, writer))
    }

    /// What becomes readable, as long as there is somebody who may write.
    pub(super) fn fd(&self) -> Option<&OwnedFd> {
        self.pipe.as_ref()
    }

    /// Takes what is there. Answers whether anything was refused.
    pub(super) fn read(&mut self) -> bool {
        let mut buffer = [0; 4096];
        while let Some(pipe) = &self.pipe {
            match rustix::io::read(pipe, &mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => self.take_bytes(&buffer[..count]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.pipe = None,
            }
        }
        !self.stops.is_empty()
    }

    fn take_bytes(&mut self, bytes: &[u8]) {
        self.taken += bytes.len();
        if self.taken > MOST_BYTES {
            self.pipe = None;
            return;
        }
        self.begun.extend_from_slice(bytes);
        let Some(end) = memchr::memrchr(b'\n', &self.begun) else {
            return;
        };
        let rest = self.begun.split_off(end + 1);
        let lines = std::mem::replace(&mut self.begun, rest);
        let stops = lines.split(|byte| *byte == b'\n');
        self.stops
            .extend(stops.filter_map(|line| serde_json::from_slice::<Stop>(line).ok()));
    }

    /// What was refused since the last time.
    pub(super) fn take(&mut self) -> Vec<Stop> {
        std::mem::take(&mut self.stops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_as_they_come_and_nonsense_is_not() {
        let (mut reports, writer) = Reports::new().expect("a pipe");
        let line =
            r#"{"category":"delete","target":"/x","call":"os.remove","file":"a.py","line":3}"#;
        let text = format!("nonsense\n{line}\n{line}");
        let write = |text: &str| rustix::io::write(&writer, text.as_bytes()).expect("it fits");
        write(&text[..20]);
        assert!(!reports.read());
        write(&text[20..]);
        assert!(reports.read());
        let stops = reports.take();
        assert_eq!(stops.len(), 1);
        assert_eq!((stops[0].target.as_str(), stops[0].span.line), ("/x", 3));
        write("\n");
        assert!(reports.read());
        assert_eq!(reports.take(), stops);
        assert!(!reports.read());
    }
}

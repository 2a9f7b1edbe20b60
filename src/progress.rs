//! How long work tells its caller where it stands, without knowing who listens.

/// Listens to the progress of one piece of work. Every method may be called from any thread.
pub trait Progress: Send + Sync {
    /// A step begins; the text is a sentence without a full stop, such as `installing Python 3.13`.
    fn step(&self, text: &str);

    /// Bytes of the current transfer: how many arrived, of how many (if the sender said).
    fn bytes(&self, done: u64, total: Option<u64>) {
        let _ = (done, total);
    }

    /// Something that a person may want to know, such as a source that was passed over.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// A person is about to be asked something: until the next step nothing may be drawn.
    fn make_room(&self) {}

    /// Something of the user's that could not be used, such as a file that is broken.
    fn warning(&self, text: &str) {
        self.note(text);
    }
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _text: &str) {}
}

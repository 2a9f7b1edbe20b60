//! The kernel's part of the guard, on systems where there is none.

use super::Layers;
#[cfg(unix)]
pub(crate) use unix::{Confinement, Supervisor};

/// What there is beside the kernel's part.
pub(crate) fn available() -> Layers {
    Layers {
        hook: true,
        ..Layers::default()
    }
}

/// What the tree on Unix knows: never made.
#[cfg(unix)]
mod unix {
    use std::convert::Infallible;
    use std::os::fd::{BorrowedFd, OwnedFd, RawFd};

    use super::super::{Layers, Policy, Stop};

    /// What a process puts on before it becomes the program: nothing.
    pub(crate) struct Confinement(Infallible);

    impl Confinement {
        pub(crate) fn of(_policy: &Policy) -> Option<Self> {
            None
        }

        pub(crate) fn lifted(
            self,
            _lift: impl Fn(OwnedFd) -> std::io::Result<OwnedFd>,
        ) -> std::io::Result<Self> {
            match self.0 {}
        }

        pub(crate) fn descriptor(&self) -> Option<RawFd> {
            match self.0 {}
        }

        pub(crate) fn enter(&self) -> ([i32; 3], Option<OwnedFd>) {
            match self.0 {}
        }

        pub(crate) fn layers(_values: [i32; 3]) -> Layers {
            Layers::default()
        }
    }

    /// What decides on single calls: nothing.
    pub(crate) struct Supervisor(Infallible);

    impl Supervisor {
        pub(crate) fn new(
            _listener: OwnedFd,
            _policy: Policy,
            confinement: &Confinement,
            _keeper: u32,
        ) -> Self {
            match confinement.0 {}
        }

        pub(crate) fn begin(&mut self) {
            match self.0 {}
        }

        pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
            match self.0 {}
        }

        pub(crate) fn handle(&mut self, _hung_up: bool) {
            match self.0 {}
        }

        pub(crate) fn has_stops(&self) -> bool {
            match self.0 {}
        }

        pub(crate) fn take_stops(&mut self) -> Vec<Stop> {
            match self.0 {}
        }
    }
}

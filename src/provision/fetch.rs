//! Getting the pinned uv: which file this machine needs, where it comes from, and how it gets into the agent directory.
//!
//! [`managed`] is the door. Behind it a file is chosen ([`pins`], [`platform`]), obtained from the first of several
//! sources that has it ([`sources`], [`download`], [`index`]), held against its digest ([`verify`]), and only then
//! unpacked and placed ([`unpack`], [`place`]).

mod address;
mod download;
mod index;
pub(crate) mod managed;
mod netrc;
mod pins;
mod pip;
mod place;
mod platform;
mod sources;
mod tls;
mod unpack;
mod verify;

pub(crate) use address::without_login;
pub(crate) use verify::TEMPORARY_PREFIX;

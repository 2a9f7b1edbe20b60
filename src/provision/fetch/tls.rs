//! Whom a download trusts: the system's certificates, and those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
//!
//! The two variables add to the system's certificates on Unix, so that a company's own authority can be named without
//! losing the public ones. On macOS and Windows they take the place of the system's store.

use std::path::Path;
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_native_certs::CertificateResult;

use crate::settings::Environment;

/// The variables that name certificates, a bundle and folders of them.
pub(crate) const FILE_VARIABLE: &str = "SSL_CERT_FILE";
const DIR_VARIABLE: &str = "SSL_CERT_DIR";

/// What a client trusts, and what could not be read of it.
pub(crate) struct Trust {
    pub config: ClientConfig,
    /// A sentence each.
    pub warnings: Vec<String>,
}

/// Gathers the certificates that this environment asks for.
///
/// A bundle that can't be read is a warning: the certificates that were found may well be enough.
pub(crate) fn trust(environment: &Environment) -> Trust {
    let named = [
        environment.get(FILE_VARIABLE),
        environment.get(DIR_VARIABLE),
    ];
    let found = match named {
        [None, None] => {
            let mut found = rustls_native_certs::load_native_certs();
            // A variable that is set to nothing leads the library to nothing.
            if found.certs.is_empty() {
                system::add_certificates(&mut found);
            }
            found
        }
        [file, dirs] => {
            let mut found = rustls_native_certs::load_certs_from_paths(file.map(Path::new), None);
            for dir in dirs.map(std::env::split_paths).into_iter().flatten() {
                add_dir(&mut found, &dir);
            }
            system::add_certificates(&mut found);
            found
        }
    };
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider supports TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Trust {
        config,
        warnings: found
            .errors
            .iter()
            .map(|error| format!("certificates are passed over: {error}"))
            .collect(),
    }
}

fn add_dir(found: &mut CertificateResult, dir: &Path) {
    if dir.as_os_str().is_empty() {
        return;
    }
    let more = rustls_native_certs::load_certs_from_paths(None, Some(dir));
    found.certs.extend(more.certs);
    found.errors.extend(more.errors);
}

/// The certificates of the system itself, where they are files.
#[cfg(all(unix, not(target_os = "macos")))]
mod system {
    use rustls_native_certs::CertificateResult;

    pub(super) fn add_certificates(found: &mut CertificateResult) {
        for dir in openssl_probe::candidate_cert_dirs() {
            // Nobody named these folders, so what can't be read in them is nobody's concern.
            let more = rustls_native_certs::load_certs_from_paths(None, Some(dir));
            found.certs.extend(more.certs);
        }
    }
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
mod system {
    use rustls_native_certs::CertificateResult;

    pub(super) fn add_certificates(_found: &mut CertificateResult) {}
}

/// The TLS error that an error came from, if one did.
pub(crate) fn cause<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<rustls::Error>() {
            return Some(tls);
        }
        // An `io::Error` hides the error that it was made of from `source`.
        next = match error.downcast_ref::<std::io::Error>() {
            Some(io) => io
                .get_ref()
                .map(|inner| inner as &(dyn std::error::Error + 'static)),
            None => error.source(),
        };
    }
    None
}

/// Whether a certificate was refused because its authority is not among the trusted ones.
pub(crate) fn is_unknown_authority(error: &rustls::Error) -> bool {
    matches!(
        error,
        rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer)
    )
}

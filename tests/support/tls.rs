//! A certificate authority of the test's own.

use std::sync::Arc;

/// A private authority, and a server's certificate for `localhost` that it signed.
pub(crate) struct Authority {
    /// The authority's certificate, for `SSL_CERT_FILE`.
    pub(crate) pem: String,
    pub(crate) server: Arc<rustls::ServerConfig>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let authority_key = rcgen::KeyPair::generate().expect("the system has random numbers");
        let mut authority = rcgen::CertificateParams::new(Vec::new()).expect("no names");
        authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        authority
            .distinguished_name
            .push(rcgen::DnType::CommonName, "pi test authority");
        let pem = authority
            .self_signed(&authority_key)
            .expect("the parameters are complete")
            .pem();
        let issuer = rcgen::Issuer::new(authority, authority_key);
        let key = rcgen::KeyPair::generate().expect("the system has random numbers");
        let names = vec!["localhost".to_owned()];
        let leaf = rcgen::CertificateParams::new(names)
            .expect("a proper name")
            .signed_by(&key, &issuer)
            .expect("the parameters are complete");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let server = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring knows them")
            .with_no_client_auth()
            .with_single_cert(
                vec![leaf.der().clone()],
                rustls::pki_types::PrivateKeyDer::Pkcs8(key.serialize_der().into()),
            )
            .expect("the key fits the certificate");
        Self {
            pem,
            server: Arc::new(server),
        }
    }
}

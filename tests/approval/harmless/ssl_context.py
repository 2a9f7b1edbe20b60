import ssl

context = ssl.create_default_context()
print(context.verify_mode == ssl.CERT_REQUIRED, bool(ssl.OPENSSL_VERSION))
print(isinstance(ssl.get_default_verify_paths().capath, (str, type(None))))

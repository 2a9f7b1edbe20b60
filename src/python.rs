//! The python tool: one request on its way to an outcome.

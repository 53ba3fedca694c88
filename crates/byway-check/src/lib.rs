//! Every path near the tests.

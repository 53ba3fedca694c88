//! The path tree holds what runs showed, and knows what there is left to try.

mod growth;
mod random_operations;

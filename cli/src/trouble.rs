//! What went wrong: one line that says what, with which value, and what happens now.

use std::fmt::{self, Display};
use std::io;

/// The arguments, or a file that they name, cannot be used.
const WRONG_INPUT: u8 = 2;
/// What was asked for could not be done.
const FAILED: u8 = 1;

#[derive(Debug)]
pub struct Trouble {
    pub what: String,
    /// The exit code.
    pub code: u8,
}

impl Trouble {
    pub fn input(what: impl Into<String>) -> Trouble {
        Trouble {
            what: what.into(),
            code: WRONG_INPUT,
        }
    }

    pub fn failed(what: impl Into<String>) -> Trouble {
        Trouble {
            what: what.into(),
            code: FAILED,
        }
    }
}

impl Display for Trouble {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.what)
    }
}

/// The words of an error of the system, without its number.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

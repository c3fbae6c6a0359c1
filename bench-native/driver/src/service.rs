//! The proof of service that each measured process prints.

use crate::arms::Arm;
use anyhow::{Result, bail};
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Deserialize)]
pub struct Service {
    /// The library that `malloc` resolves to
    malloc: PathBuf,
    /// What lohalloc_owns says of a block, where the library has it
    owns: Option<i32>,
}

impl Service {
    /// A figure counts only where the arm's own library served the process.
    pub fn check(&self, arm: &Arm) -> Result<()> {
        let served_by = self
            .malloc
            .canonicalize()
            .unwrap_or_else(|_| self.malloc.clone());
        let right = match &arm.library {
            Some(library) => *library == served_by,
            None => served_by
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("libc")),
        };
        if !right {
            bail!("malloc is served by {}", served_by.display());
        }
        match self.owns {
            Some(1) => Ok(()),
            Some(_) => bail!("lohalloc_owns denies a block of malloc"),
            // Any library can stand in for lohalloc by LOHALLOC_LIB.
            None if arm.is_ours() && !arm.stands_in => bail!("the library has no lohalloc_owns"),
            None => Ok(()),
        }
    }
}

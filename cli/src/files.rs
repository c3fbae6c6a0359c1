//! Models in files.

use crate::trouble::{Trouble, words};
use lohalloc::tools::{LENGTH_MAX, Model};
use std::fs::{File, OpenOptions, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use tempfile::NamedTempFile;

/// Opens a regular file; a pipe or a device is refused, and does not make us wait.
pub fn open(path: &Path) -> Result<File, String> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)
        .map_err(|error| words(&error))?;
    let kind = file.metadata().map_err(|error| words(&error))?.file_type();
    match () {
        () if kind.is_file() => Ok(file),
        () if kind.is_dir() => Err("it is a directory".into()),
        () => Err("it is not a regular file".into()),
    }
}

/// A file that should hold a model.
pub struct Text {
    name: String,
    bytes: Vec<u8>,
}

impl Text {
    /// Reads a file. Errors end with what happens now.
    pub fn read(path: &Path, now: &str) -> Result<Text, Trouble> {
        let name = path.display().to_string();
        let refused = |why| Trouble::input(format!("cannot read the model '{name}': {why}; {now}"));
        let mut bytes = vec![];
        let file = open(path).map_err(refused)?;
        file.take(LENGTH_MAX as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| refused(words(&error)))?;
        if bytes.len() > LENGTH_MAX {
            return Err(refused(format!("it is longer than {LENGTH_MAX} bytes")));
        }
        Ok(Text { name, bytes })
    }

    /// The model in it, all of whose evidence can be read.
    pub fn model(&self, now: &str) -> Result<Model<'_>, Trouble> {
        let name = &self.name;
        let model = Model::parse(&self.bytes)
            .map_err(|refusal| Trouble::input(format!("the model '{name}' {refusal}; {now}")))?;
        if model.rows().count() != model.row_count() {
            let what = format!("the model '{name}' is damaged: its evidence cannot be read; {now}");
            return Err(Trouble::input(what));
        }
        Ok(model)
    }
}

/// Puts a file in the place of another, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Trouble> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let written = || {
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.as_file()
            .set_permissions(Permissions::from_mode(0o644))?;
        file.persist(path).map_err(|error| error.error)
    };
    written().map(drop).map_err(|error| {
        Trouble::failed(format!(
            "cannot write '{}': {}; what was there stays",
            path.display(),
            words(&error)
        ))
    })
}

/// Whether a model may be put there: nothing, or a model, is there now.
pub fn may_replace(path: &Path, now: &str) -> Result<(), Trouble> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    Text::read(path, now)?.model(now).map(drop)
}

//! The names of places: the functions, files and lines behind a module and a distance.

use crate::files;
use crate::trouble::Trouble;
use addr2line::{Loader, demangle_auto};
use lohalloc::tools::{IDENTITY_MAX, Identity, Place, code_identity};
use object::read::elf::ElfFile64;
use object::{Object, ObjectSegment, ReadCache, ReadRef, SegmentFlags};
use std::borrow::Cow;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Where the system has its libraries.
const SYSTEM: [&str; 8] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
];
/// Where Debian and Fedora put debug files, by build-id.
const DEBUG: &str = "/usr/lib/debug/.build-id";
/// Directories within directories that are searched.
const NESTED: usize = 16;

/// The files of a module.
#[derive(Default)]
struct Known {
    name: Option<String>,
    loaders: Vec<Loader>,
}

/// The names that can be found. One entry a module.
pub struct Symbols {
    modules: Vec<(Identity, Known)>,
}

impl Symbols {
    /// Looks for `modules` in `paths`; if there are any, also in the directory `../lib` beside each, and
    /// in the system's libraries.
    pub fn find(modules: &[Identity], paths: &[PathBuf]) -> Result<Symbols, Trouble> {
        let known = |module: &Identity| (*module, Known::default());
        let mut symbols = Symbols {
            modules: modules.iter().map(known).collect(),
        };
        for path in paths {
            if path.is_dir() {
                symbols.search(path, NESTED);
                continue;
            }
            if let Err(why) = symbols.look(path) {
                let path = path.display();
                let what = format!("cannot read symbols from '{path}': {why}");
                return Err(Trouble::input(format!("{what}; nothing was shown")));
            }
        }
        if !paths.is_empty() {
            for folder in SYSTEM {
                if symbols
                    .modules
                    .iter()
                    .any(|(_, known)| known.name.is_none())
                {
                    symbols.search(Path::new(folder), 1);
                }
            }
            symbols.add_debug_files();
        }
        Ok(symbols)
    }

    fn search(&mut self, folder: &Path, nested: usize) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // The same names in every run.
        paths.sort();
        for path in paths {
            let link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
            if path.is_dir() {
                if nested > 1 && !link {
                    self.search(&path, nested - 1);
                }
            } else if !link || nested == NESTED {
                // What is no program or library has no names to give.
                let _ = self.look(&path);
            }
        }
    }

    /// Takes a file if it is of one of the modules.
    fn look(&mut self, path: &Path) -> Result<(), String> {
        let identity =
            identity_of(files::open(path)?).ok_or("it is no program or library of 64 bits")?;
        let module = self
            .modules
            .iter_mut()
            .find(|(module, _)| *module == identity);
        if let Some((_, known)) = module {
            let name = path.file_name().unwrap_or(path.as_os_str());
            known
                .name
                .get_or_insert_with(|| name.to_string_lossy().into_owned());
            known.loaders.extend(Loader::new(path).ok());
        }
        Ok(())
    }

    fn add_debug_files(&mut self) {
        for (module, known) in self
            .modules
            .iter_mut()
            .filter(|(module, _)| module.build_id)
        {
            let id = hex(module);
            if id.len() > 2 {
                let path = Path::new(DEBUG)
                    .join(&id[..2])
                    .join(format!("{}.debug", &id[2..]));
                known.loaders.extend(Loader::new(path).ok());
            }
        }
    }

    /// The function, file and line of a call, or as much as is known of it.
    pub fn name(&self, place: Place) -> String {
        let Some((module, known)) = self.modules.get(place.module()) else {
            return "?".into();
        };
        // The call ends where the return address begins.
        let call = place.offset().saturating_sub(1);
        let lines = known.loaders.iter().find_map(|loader| line(loader, call));
        let found = lines.or_else(|| known.loaders.iter().find_map(|loader| symbol(loader, call)));
        let id = || hex(module).chars().take(12).collect();
        let file: String = known.name.clone().unwrap_or_else(id);
        match found {
            Some(name) => format!("{name} [{file}]"),
            None => format!("{file}+{:#x}", place.offset()),
        }
    }

    /// The names of a context, the site first.
    pub fn path(&self, places: &[Place]) -> String {
        let names: Vec<String> = places.iter().map(|place| self.name(*place)).collect();
        names.join(" ← ")
    }

    /// The name of the file that a module was found in.
    pub fn file(&self, module: usize) -> Option<&str> {
        self.modules.get(module)?.1.name.as_deref()
    }
}

fn line(loader: &Loader, address: u64) -> Option<String> {
    let mut frames = loader.find_frames(address).ok()?;
    let frame = frames.next().ok()??;
    let function = frame.function?;
    let function = function.demangle().ok()?.into_owned();
    let place = frame.location.and_then(|location| {
        let file = Path::new(location.file?).file_name()?.to_string_lossy();
        Some(format!(" ({file}:{})", location.line?))
    });
    Some(function + &place.unwrap_or_default())
}

fn symbol(loader: &Loader, address: u64) -> Option<String> {
    let name = loader.find_symbol(address)?;
    Some(demangle_auto(Cow::Borrowed(name), None).into_owned())
}

/// An identity in hexadecimal.
pub fn hex(module: &Identity) -> String {
    let bytes = &module.bytes[..usize::from(module.len).min(IDENTITY_MAX)];
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the library calls the module that this file is loaded as.
fn identity_of(file: File) -> Option<Identity> {
    const EXECUTABLE: u32 = 1;
    let cache = ReadCache::new(file);
    let elf = ElfFile64::<object::Endianness, _>::parse(&cache).ok()?;
    if let Some(id) = elf.build_id().ok()? {
        let mut identity = Identity::NONE;
        identity.build_id = true;
        identity.len = id.len().min(IDENTITY_MAX) as u8;
        let len = identity.len.into();
        identity.bytes[..len].copy_from_slice(&id[..len]);
        return Some(identity);
    }
    let code = elf.segments().find(|segment| {
        matches!(segment.flags(), SegmentFlags::Elf { p_flags, .. } if p_flags.0 & EXECUTABLE != 0)
    })?;
    let (start, length) = code.file_range();
    let word = |at: usize| {
        let bytes = (&cache).read_bytes_at(start + at as u64, 8).ok()?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    };
    Some(code_identity(length, word))
}

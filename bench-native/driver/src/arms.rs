//! The allocators of a run: glibc, the peers, lohalloc, and lohalloc once more
//! as the A/A control.

use anyhow::{Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};

pub const OURS: &str = "lohalloc";
pub const AGAIN: &str = "lohalloc-again";
const GLIBC: &str = "glibc";
pub const PEERS: [&str; 7] = [
    "mimalloc-v2",
    "mimalloc-v3",
    "jemalloc",
    "snmalloc",
    "rpmalloc",
    "tcmalloc",
    "tcmalloc-gperf",
];

/// Those of the comparison of whole programs, unless all are asked for: the fastest and the leanest.
pub const MAIN: [&str; 5] = [
    "mimalloc-v2",
    "mimalloc-v3",
    "snmalloc",
    "rpmalloc",
    "tcmalloc",
];

#[derive(Args)]
pub struct Choice {
    /// Arms beside lohalloc, by comma or space: glibc and names of peers/lib
    #[arg(long, env = "PEERS")]
    pub peers: Option<String>,
    /// The library that counts as lohalloc
    #[arg(long, env = "LOHALLOC_LIB")]
    pub lohalloc_lib: Option<PathBuf>,
}

#[derive(Clone)]
pub struct Arm {
    pub name: String,
    /// None is the C library's own allocator.
    pub library: Option<PathBuf>,
    /// Some other library takes the place of lohalloc.
    pub stands_in: bool,
}

impl Arm {
    pub fn is_ours(&self) -> bool {
        self.name == OURS || self.name == AGAIN
    }

    /// What its documentation says to set. tcmalloc's caches by CPU need the restartable sequences that
    /// glibc takes for itself otherwise.
    pub fn environment(&self) -> Option<(&'static str, &'static str)> {
        (self.name == "tcmalloc").then_some(("GLIBC_TUNABLES", "glibc.pthread.rseq=0"))
    }
}

/// Peers that were asked for must be there; by default those of `usual` that are there run.
pub fn choose(root: &Path, choice: &Choice, usual: &[&str], control: bool) -> Result<Vec<Arm>> {
    let directory = root.join("bench-native/peers/lib");
    let mut arms = Vec::new();
    let asked: Option<Vec<&str>> = choice.peers.as_deref().map(|list| {
        list.split([',', ' '])
            .filter(|name| !name.is_empty())
            .collect()
    });
    let names = asked.clone().unwrap_or_else(|| [&[GLIBC], usual].concat());
    for name in names {
        if name == GLIBC {
            arms.push(Arm {
                name: name.to_owned(),
                library: None,
                stands_in: false,
            });
            continue;
        }
        let library = directory.join(format!("{name}.so"));
        match library.canonicalize() {
            Ok(library) => arms.push(Arm {
                name: name.to_owned(),
                library: Some(library),
                stands_in: false,
            }),
            Err(_) if asked.is_none() => {
                eprintln!("bench: no {name}: {} is missing", library.display())
            }
            Err(_) => bail!("no peer {name}: {} is missing", library.display()),
        }
    }
    let ours = library_of_ours(root, choice);
    let stands_in = choice.lohalloc_lib.is_some();
    match ours.canonicalize() {
        Ok(library) => {
            arms.push(Arm {
                name: OURS.to_owned(),
                library: Some(library.clone()),
                stands_in,
            });
            if control {
                arms.push(Arm {
                    name: AGAIN.to_owned(),
                    library: Some(library),
                    stands_in,
                });
            }
        }
        Err(_) if choice.lohalloc_lib.is_some() => bail!("{} is missing", ours.display()),
        Err(_) => eprintln!(
            "bench: {} is missing: only the peers are measured",
            ours.display()
        ),
    }
    Ok(arms)
}

pub fn library_of_ours(root: &Path, choice: &Choice) -> PathBuf {
    choice
        .lohalloc_lib
        .clone()
        .unwrap_or_else(|| root.join("build/liblohalloc.so"))
}

//! The limit that the process's control group (version 2) sets on memory.

use super::file::File;
use core::ffi::CStr;

const ROOT: &[u8] = b"/sys/fs/cgroup";
const FILE: &[u8] = b"/memory.max\0";
/// The longest path of a group, in bytes.
const PATH_MAX: usize = 1024;

/// The least limit of the process's group and those above it, in bytes.
pub fn memory_limit() -> Option<u64> {
    let mut text = [0; 4096];
    let mut group = group(read(c"/proc/self/cgroup", &mut text)?)?;
    let mut least = limit_of(group);
    while let Some(slash) = group.iter().rposition(|&byte| byte == b'/') {
        group = &group[..slash];
        least = least.into_iter().chain(limit_of(group)).min();
    }
    least
}

/// The group's path, as /proc/self/cgroup tells it, without a slash at its end.
fn group(text: &[u8]) -> Option<&[u8]> {
    let path = text
        .split(|&byte| byte == b'\n')
        .find_map(|line| line.strip_prefix(b"0::"))?;
    Some(path.strip_suffix(b"/").unwrap_or(path))
}

fn limit_of(group: &[u8]) -> Option<u64> {
    let mut path = [0; ROOT.len() + PATH_MAX + FILE.len()];
    let mut len = 0;
    if group.len() > PATH_MAX {
        return None;
    }
    for part in [ROOT, group, FILE] {
        path[len..len + part.len()].copy_from_slice(part);
        len += part.len();
    }
    let mut text = [0; 32];
    let path = CStr::from_bytes_until_nul(&path).ok()?;
    number(read(path, &mut text)?)
}

/// The number that the text is. "max" is none.
fn number(text: &[u8]) -> Option<u64> {
    str::from_utf8(text).ok()?.trim_ascii().parse().ok()
}

/// What a small file says, as far as it fits.
fn read<'a>(path: &CStr, text: &'a mut [u8]) -> Option<&'a [u8]> {
    let file = File::open(path, libc::O_RDONLY).ok()?;
    let got = file.read(text).ok()?;
    text.get(..got)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_version_two_is_found_among_others() {
        assert_eq!(group(b"4:memory:/x\n0::/a/b\n"), Some(b"/a/b".as_slice()));
        assert_eq!(group(b"0::/\n"), Some(b"".as_slice()));
        assert_eq!(group(b"4:memory:/x\n"), None);
    }

    #[test]
    fn max_is_no_number() {
        assert_eq!(number(b"max\n"), None);
        assert_eq!(number(b"1048576\n"), Some(1 << 20));
        assert_eq!(number(b""), None);
    }
}

//! The command line as a user meets it. Needs the library in `build/`: see `make`.

use assert_cmd::Command;
use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// No command may wait for what will never come.
const PATIENCE: Duration = Duration::from_secs(20);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn lohalloc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lohalloc"));
    command.timeout(PATIENCE).env_remove("LD_PRELOAD");
    command
}

/// The model that `docs/model-format.md` shows.
fn example() -> Vec<u8> {
    let text = fs::read_to_string(root().join("docs/model-format.md")).expect("the page");
    let example = text.split("```").find(|part| part.starts_with("hex"));
    let lines = example.expect("an example").lines().skip(1);
    lines
        .flat_map(|line| line.split("  ").nth(1).unwrap_or_default().split(' '))
        .map(|byte| u8::from_str_radix(byte, 16).expect("a byte"))
        .collect()
}

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a directory"));
        fs::write(place.at("good"), example()).expect("a file");
        fs::write(place.at("library"), "").expect("a file");
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Files that are no model, and what is said of each.
    fn bad(&self) -> Vec<(PathBuf, &'static str)> {
        let write = |name: &str, text: &[u8]| {
            fs::write(self.at(name), text).expect("a file");
            self.at(name)
        };
        let good = example();
        let mut newer = good.clone();
        newer[8] = 9;
        let mut flipped = good.clone();
        flipped[170] ^= 4;
        let fifo = self.at("fifo");
        let name = CString::new(fifo.as_os_str().as_bytes()).expect("a name");
        // SAFETY: the name is a C string.
        let made = unsafe { libc::mkfifo(name.as_ptr(), 0o600) };
        assert!(made == 0 || fifo.exists());
        vec![
            (self.at("missing"), "no such file or directory"),
            (self.0.path().to_owned(), "it is a directory"),
            (fifo, "it is not a regular file"),
            ("/dev/zero".into(), "it is not a regular file"),
            (write("empty", b""), "is no model"),
            (write("script", b"#!/bin/sh\n"), "is no model"),
            (
                write("long", &[0; 5 << 20]),
                "it is longer than 4194304 bytes",
            ),
            (write("cut", &good[..150]), "is cut off at byte 150 of 175"),
            (write("newer", &newer), "has format 9, this library reads 1"),
            (write("flipped", &flipped), "its checksum does not match"),
        ]
    }
}

/// Runs a command that must fail with this code, and one line that has these words.
fn fails(command: &mut Command, code: i32, words: &[&str]) {
    let output = command.output().expect("it ends in time");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("lohalloc: "), "{said}");
    for word in words {
        assert!(said.contains(word), "{said}: where is '{word}'?");
    }
    assert!(output.stdout.is_empty());
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("it ends in time");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn what_is_no_model_is_refused_by_every_command() {
    let place = Place::new();
    for (path, why) in place.bad() {
        let name = path.display().to_string();
        let output = place.at("out");
        let library = place.at("library");
        fails(
            lohalloc().arg("inspect").arg(&path),
            2,
            &[&name, why, "nothing was shown"],
        );
        fails(
            lohalloc().arg("diff").arg(place.at("good")).arg(&path),
            2,
            &[&name, why, "nothing was compared"],
        );
        fails(
            lohalloc()
                .arg("merge")
                .arg(place.at("good"))
                .arg(&path)
                .arg("-o")
                .arg(&output),
            2,
            &[&name, why, "nothing was written"],
        );
        assert!(!output.exists());
        let runs_with = !path.is_dir();
        if runs_with {
            fails(
                lohalloc()
                    .arg("run")
                    .arg("--library")
                    .arg(&library)
                    .arg("-m")
                    .arg(&path)
                    .args(["--", "true"]),
                2,
                &[&name, why, "the program was not started"],
            );
        }
        if runs_with && path.exists() && path != Path::new("/dev/zero") {
            let before = path.is_file().then(|| fs::read(&path).expect("a file"));
            fails(
                lohalloc()
                    .arg("train")
                    .arg("--library")
                    .arg(&library)
                    .arg("-o")
                    .arg(&path)
                    .args(["--", "true"]),
                2,
                &[&name, why, "the file stays as it is"],
            );
            fails(
                lohalloc()
                    .arg("merge")
                    .arg(place.at("good"))
                    .arg("-o")
                    .arg(&path),
                2,
                &[&name, why, "nothing was written"],
            );
            assert_eq!(
                path.is_file().then(|| fs::read(&path).expect("a file")),
                before
            );
        }
    }
}

#[test]
fn inspect_shows_a_model() {
    let place = Place::new();
    let text = succeeds(lohalloc().arg("inspect").arg(place.at("good")));
    assert!(text.contains("2 runs, 8.00 GiB allocated"), "{text}");
    assert!(text.contains("abababababab+0x11f0"), "{text}");
    let text = succeeds(
        lohalloc()
            .arg("inspect")
            .arg(place.at("good"))
            .arg("--json"),
    );
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["calls"][0]["samples"], 53);
    assert_eq!(json["calls"][0]["in_use"][19], 3);
    assert_eq!(json["modules"][0]["id"], "ab".repeat(20));
    fails(
        lohalloc()
            .arg("inspect")
            .arg(place.at("good"))
            .arg("--symbols")
            .arg(place.at("fifo")),
        2,
        &["cannot read symbols", "no such file", "nothing was shown"],
    );
    fails(
        lohalloc()
            .arg("inspect")
            .arg(place.at("good"))
            .arg("--symbols")
            .arg(place.at("good")),
        2,
        &["it is no program or library"],
    );
}

#[test]
fn merged_models_add_up() {
    let place = Place::new();
    let (good, sum) = (place.at("good"), place.at("sum"));
    succeeds(
        lohalloc()
            .arg("merge")
            .args([&good, &good, &good])
            .arg("-o")
            .arg(&sum),
    );
    let text = succeeds(lohalloc().arg("inspect").arg(&sum).arg("--json"));
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&json["runs"], &json["calls"][0]["samples"]),
        (&6.into(), &159.into())
    );
    assert_eq!(json["calls"].as_array().map(Vec::len), Some(1));
    // A model may be merged into itself.
    succeeds(
        lohalloc()
            .arg("merge")
            .args([&sum, &good])
            .arg("-o")
            .arg(&sum),
    );
    succeeds(lohalloc().arg("diff").args([&sum, &sum]));
    fails(
        lohalloc()
            .arg("merge")
            .arg(&good)
            .arg("-o")
            .arg(place.at("no/where")),
        1,
        &[
            "no/where",
            "no such file or directory",
            "what was there stays",
        ],
    );
}

#[test]
fn run_ends_as_the_program_ends() {
    let place = Place::new();
    let run = || {
        let mut command = lohalloc();
        command
            .arg("run")
            .arg("--library")
            .arg(place.at("library"))
            .arg("--");
        command
    };
    assert_eq!(
        run()
            .args(["sh", "-c", "exit 7"])
            .output()
            .expect("it ends")
            .status
            .code(),
        Some(7)
    );
    fails(
        run().arg("/no/such/program"),
        1,
        &["'/no/such/program'", "no such file", "nothing was run"],
    );
    fails(run().arg(place.at("library")), 1, &["permission denied"]);
}

#[test]
fn a_library_that_cannot_be_named_is_refused() {
    let place = Place::new();
    fs::write(place.at("a b"), "").expect("a file");
    let run = |name: &str| {
        let mut command = lohalloc();
        command
            .arg("run")
            .arg("--library")
            .arg(place.at(name))
            .args(["--", "true"]);
        command
    };
    fails(
        &mut run("a b"),
        2,
        &["a b", "space", "the program was not started"],
    );
    fails(
        &mut run("missing"),
        2,
        &["missing", "is no file", "the program was not started"],
    );
    // This binary has no library beside it.
    fails(
        lohalloc().args(["run", "--", "true"]),
        2,
        &["liblohalloc.so", "name the library with --library"],
    );
}

#[test]
fn wrong_arguments_end_with_2() {
    for arguments in [
        &["frobnicate"][..],
        &[],
        &["run"],
        &["train", "--", "true"],
        &["train", "-o", "x", "--sample", "0", "--", "true"],
        &["tune", "--runs", "1", "--", "true"],
        &["completions", "cmd"],
    ] {
        let output = lohalloc().args(arguments).output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    fails(
        lohalloc().args(["eval", "x", "--", "true"]),
        1,
        &["not available yet", "nothing was run"],
    );
}

#[test]
fn pages_are_written() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let text = succeeds(lohalloc().args(["completions", shell]));
        assert!(text.contains("inspect"), "{shell}");
    }
    succeeds(lohalloc().arg("man").arg(place.0.path()));
    let page = fs::read_to_string(place.at("lohalloc-train.1")).expect("a page");
    assert!(page.contains("65536") && place.at("lohalloc.1").exists());
    fails(
        lohalloc().arg("man").arg(place.at("missing")),
        1,
        &["missing", "no such file"],
    );
}

fn library() -> PathBuf {
    let library = root().join("build/liblohalloc.so");
    assert!(library.exists(), "make build/liblohalloc.so first");
    library
}

const WORK: [&str; 4] = [
    "--",
    "bash",
    "-c",
    "for i in {1..30000}; do a[i]=$i; done; b=$(for i in ${a[@]}; do :; done)",
];

#[test]
fn a_program_is_trained_and_follows_its_model() {
    let place = Place::new();
    let model = place.at("model");
    let train = || {
        let mut command = lohalloc();
        command.arg("train").arg("--library").arg(library());
        command
            .args(["--sample", "1024", "-o"])
            .arg(&model)
            .args(WORK);
        succeeds(&mut command);
        let text = succeeds(lohalloc().arg("inspect").arg(&model).arg("--json"));
        let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert!(json["calls"].as_array().expect("calls").len() > 3);
        json["runs"].as_u64().expect("a number")
    };
    let first = train();
    assert!(train() > first, "it learns on");
    let text = succeeds(lohalloc().arg("inspect").arg(&model).args([
        "--contexts",
        "--symbols",
        "/bin/bash",
    ]));
    assert!(
        text.contains("[bash]") || text.contains("bash+0x"),
        "{text}"
    );
    let mut run = lohalloc();
    run.arg("run")
        .arg("--library")
        .arg(library())
        .arg("-m")
        .arg(&model)
        .args(WORK);
    assert_eq!(succeeds(&mut run), "");
}

#[test]
fn a_program_that_leaves_no_model_is_told_of() {
    let place = Place::new();
    let mut train = lohalloc();
    train
        .arg("train")
        .arg("--library")
        .arg(place.at("library"))
        .arg("-o")
        .arg(place.at("model"));
    let output = train.args(["--", "true"]).output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("left no model"));
}

#[test]
fn tune_keeps_a_model_only_if_it_wins() {
    let place = Place::new();
    let model = place.at("model");
    let mut tune = lohalloc();
    tune.timeout(PATIENCE * 6)
        .arg("tune")
        .arg("--library")
        .arg(library());
    tune.args(["--runs", "7", "-o"]).arg(&model).args(WORK);
    let output = tune.output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => assert!(said.contains("wins") && model.exists(), "{said}"),
        Some(1) => assert!(
            said.contains("nothing was written") && !model.exists(),
            "{said}"
        ),
        code => panic!("{code:?}: {said}"),
    }
    let mut tune = lohalloc();
    tune.arg("tune")
        .arg("--library")
        .arg(library())
        .arg("-o")
        .arg(&model);
    fails(
        tune.args(["--", "sh", "-c", "exit 3"]),
        1,
        &["exit status: 3", "nothing was written"],
    );
}

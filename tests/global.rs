//! The allocator of a Rust program, whose threads end with destructors that allocate, unwind, and
//! leave their blocks to others. Every test runs in a process of its own.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::fs;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::process::{self, Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Barrier, LazyLock};
use std::thread;

#[global_allocator]
static ALLOCATOR: lohalloc::Lohalloc = lohalloc::Lohalloc;

/// Set in the process that is a test's own.
const ALONE: &str = "TEST_ALONE";

/// Runs `body` in a process where nothing else happens, which must end well and have been served.
fn alone(test: &str, body: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        body();
        return;
    }
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new("/proc/self/exe")
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(ALONE, "1")
        .env("LOHALLOC_STATS", "1")
        .output()
        .expect("a process");
    let said = String::from_utf8_lossy(&stderr);
    let ran = String::from_utf8_lossy(&stdout);
    assert!(status.success(), "{status}: {ran}{said}");
    assert!(ran.contains("running 1 test"), "no test is called {test}");
    assert!(said.contains("lohalloc: served "), "not served: {said}");
}

/// Text that grows piece by piece, and is right in the end.
fn grow(seed: usize) -> usize {
    let mut text = String::new();
    let mut ends = Vec::new();
    for i in 0..60 {
        text.push_str(&format!("{seed} and {i}, "));
        ends.push(text.len());
    }
    let pieces: Vec<&str> = text.split_terminator(", ").collect();
    assert_eq!(pieces.len(), ends.len());
    for (i, piece) in pieces.iter().enumerate() {
        assert_eq!(*piece, format!("{seed} and {i}"));
    }
    text.len()
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

/// What allocates while it is destroyed, and makes another of its kind that is destroyed later.
struct Last {
    kept: Vec<String>,
    after: Option<fn()>,
    heir: Option<Sender<Vec<String>>>,
}

impl Last {
    fn new(after: Option<fn()>) -> Last {
        Last {
            kept: (0..20).map(|i| "x".repeat(i * 30)).collect(),
            after,
            heir: None,
        }
    }
}

impl Drop for Last {
    fn drop(&mut self) {
        grow(self.kept.len());
        // One that lives, has been destroyed, or comes into being.
        let _ = FIRST.try_with(|first| first.borrow_mut().kept.push("more".repeat(50)));
        if let Some(after) = self.after {
            after();
        }
        if let Some(heir) = &self.heir {
            let _ = heir.send(std::mem::take(&mut self.kept));
        }
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

fn after_second() {
    let _ = THIRD.try_with(|third| third.borrow_mut().kept.push("late".repeat(90)));
}

fn after_third() {
    FOURTH.with(|fourth| fourth.borrow_mut().kept.clear());
}

thread_local! {
    static FIRST: RefCell<Last> = RefCell::new(Last::new(None));
    static SECOND: RefCell<Last> = RefCell::new(Last::new(Some(after_second)));
    static THIRD: RefCell<Last> = RefCell::new(Last::new(Some(after_third)));
    static FOURTH: RefCell<Last> = RefCell::new(Last::new(None));
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The destructor of a key: runs when all thread_local values have been destroyed.
unsafe extern "C" fn very_last(value: *mut c_void) {
    // SAFETY: what `leave_to_key` left.
    let kept = unsafe { Box::from_raw(value.cast::<Last>()) };
    grow(kept.kept.len());
}

fn leave_to_key() {
    static KEY: LazyLock<u32> = LazyLock::new(|| {
        let mut key = 0;
        // SAFETY: the key is written before it is read.
        assert_eq!(
            unsafe { libc::pthread_key_create(&mut key, Some(very_last)) },
            0
        );
        key
    });
    let value = Box::into_raw(Box::new(Last::new(None)));
    // SAFETY: the key exists.
    assert_eq!(unsafe { libc::pthread_setspecific(*KEY, value.cast()) }, 0);
}

/// Resident memory in bytes.
fn resident() -> usize {
    let text = fs::read_to_string("/proc/self/statm").expect("statm");
    let pages: usize = text
        .split(' ')
        .nth(1)
        .expect("a field")
        .parse()
        .expect("a number");
    // SAFETY: asks for a number.
    pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize
}

#[test]
fn destructors_of_thread_locals_allocate() {
    alone("destructors_of_thread_locals_allocate", || {
        let mut start = 0;
        for turn in 0..1500 {
            thread::spawn(move || {
                leave_to_key();
                if turn % 2 == 0 {
                    SECOND.with(|second| second.borrow_mut().kept.push(turn.to_string()));
                    FIRST.with(|first| first.borrow_mut().kept.clear());
                } else {
                    COUNT.set(grow(turn));
                    FIRST.with(|first| first.borrow_mut().kept.clear());
                    SECOND.with(|second| second.borrow_mut().kept.push(turn.to_string()));
                }
            })
            .join()
            .expect("a thread that ends well");
            if turn == 100 {
                start = resident();
            }
        }
        assert_eq!(DROPPED.load(Ordering::Relaxed), 1500 * 5);
        let end = resident();
        assert!(end < start + (4 << 20), "{start} bytes grew to {end}");
    });
}

#[test]
fn panics_unwind() {
    alone("panics_unwind", || {
        panic::set_hook(Box::new(|info| {
            black_box(info.to_string());
        }));
        for turn in 0..300 {
            let ended = thread::spawn(move || {
                FIRST.with(|first| first.borrow_mut().kept.push(turn.to_string()));
                let inner = panic::catch_unwind(AssertUnwindSafe(|| {
                    let kept = vec![turn; 5000];
                    SECOND.with(|second| {
                        let _held = second.borrow_mut();
                        panic!("inner {turn} of {}", kept.len());
                    })
                }));
                let said = inner.expect_err("a panic");
                assert_eq!(said.downcast_ref(), Some(&format!("inner {turn} of 5000")));
                let _local = Last::new(Some(after_second));
                panic::panic_any(vec![turn.to_string(); 100]);
            })
            .join();
            let said = ended.expect_err("a panic");
            let said = said.downcast::<Vec<String>>().expect("the payload");
            assert!(said.len() == 100 && said.iter().all(|text| *text == turn.to_string()));
        }
        assert_eq!(DROPPED.load(Ordering::Relaxed), 300 * 5);
    });
}

#[test]
fn blocks_are_freed_while_their_threads_end() {
    alone("blocks_are_freed_while_their_threads_end", || {
        let (sender, receiver) = channel::<Vec<String>>();
        thread::scope(|scope| {
            let reader = scope.spawn(move || {
                // Half are freed late, long after their threads.
                let mut late = Vec::new();
                let mut seen = 0;
                for texts in receiver {
                    seen += texts.len();
                    for text in texts {
                        assert!(text.bytes().all(|byte| byte == b'x'));
                        if text.len() % 20 == 0 {
                            late.push(text);
                        }
                    }
                    if late.len() > 5000 {
                        late.drain(..2500);
                    }
                }
                seen
            });
            for _ in 0..60 {
                thread::scope(|scope| {
                    for _ in 0..8 {
                        let sender = sender.clone();
                        scope.spawn(move || {
                            for i in 0..10 {
                                let texts = (0..10).map(|k| "x".repeat(i * 100 + k)).collect();
                                sender.send(texts).expect("a reader");
                            }
                            // The last comes from the destructor.
                            FOURTH.with(|fourth| fourth.borrow_mut().heir = Some(sender));
                        });
                    }
                });
            }
            drop(sender);
            assert_eq!(reader.join().expect("a reader"), 60 * 8 * (100 + 20));
        });
    });
}

#[test]
fn a_scope_is_left_by_exit() {
    alone("a_scope_is_left_by_exit", || {
        let begun = Barrier::new(4);
        thread::scope(|scope| {
            for seed in 0..3 {
                let begun = &begun;
                scope.spawn(move || {
                    SECOND.with(|second| second.borrow_mut().kept.clear());
                    begun.wait();
                    loop {
                        black_box(grow(seed));
                        black_box(thread::spawn(after_second));
                    }
                });
            }
            begun.wait();
            thread::sleep(std::time::Duration::from_millis(20));
            SECOND.with(|second| second.borrow_mut().kept.push("end".into()));
            process::exit(0);
        });
    });
}

#[test]
fn layouts_are_kept() {
    #[repr(align(4096))]
    struct Wide([u8; 5000]);

    alone("layouts_are_kept", || {
        let wide: Vec<Box<Wide>> = (0..50).map(|i| Box::new(Wide([i; 5000]))).collect();
        for (i, wide) in wide.iter().enumerate() {
            assert_eq!(&raw const **wide as usize % 4096, 0);
            assert!(wide.0.iter().all(|&byte| usize::from(byte) == i));
        }
        let mut grown: Vec<Wide> = Vec::new();
        for wide in wide {
            grown.push(*wide);
            assert_eq!(grown.as_ptr() as usize % 4096, 0);
        }
        assert!((0..50).all(|i| grown[i].0.iter().all(|&byte| usize::from(byte) == i)));
        for size in [1, 100, 5000, 70_000, 3 << 20] {
            drop(vec![7_u8; size]);
            assert!(vec![0_u8; size].iter().all(|&byte| byte == 0));
        }
    });
}

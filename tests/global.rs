//! A Rust program whose global allocator is ours: its thread-local values allocate and free while
//! threads end, it panics and goes on, and its threads free each other's blocks.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

#[global_allocator]
static ALLOCATOR: lohalloc::Lohalloc = lohalloc::Lohalloc;

/// A value that allocates when it is dropped, and uses other thread-local values as long as they
/// are there.
struct Late(Vec<String>);

impl Drop for Late {
    fn drop(&mut self) {
        let said: Vec<String> = self.0.iter().map(|word| word.repeat(3)).collect();
        assert!(said.iter().all(|word| word.len() % 3 == 0));
        let _ = OTHER.try_with(|other| other.borrow_mut().extend(said));
    }
}

thread_local! {
    static LATE: RefCell<Late> = const { RefCell::new(Late(Vec::new())) };
    static OTHER: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

#[test]
fn values_of_threads_allocate_when_they_are_dropped() {
    for round in 0..50 {
        thread::scope(|scope| {
            for me in 0..8 {
                scope.spawn(move || {
                    // In either order: the one made first is dropped last.
                    if me % 2 == 0 {
                        OTHER.with(|other| other.borrow_mut().push(format!("first {me}")));
                    }
                    LATE.with(|late| {
                        let words = (0..round + 5).map(|n| format!("{me} {n}"));
                        late.borrow_mut().0.extend(words);
                    });
                });
            }
        });
    }
}

#[test]
fn blocks_go_from_thread_to_thread() {
    let (send, receive) = mpsc::channel::<(u64, Box<[u8]>, String)>();
    let receive = Arc::new(Mutex::new(receive));
    thread::scope(|scope| {
        for me in 0..4u64 {
            let send = send.clone();
            scope.spawn(move || {
                for n in 0..5000 {
                    let bytes = vec![me as u8; (n as usize * 37) % 3000].into_boxed_slice();
                    send.send((me, bytes, format!("{me}"))).unwrap();
                }
            });
        }
        drop(send);
        for _ in 0..3 {
            scope.spawn(|| {
                while let Ok((me, bytes, text)) = { receive.lock().unwrap().recv() } {
                    assert!(bytes.iter().all(|&byte| u64::from(byte) == me));
                    assert_eq!(text, me.to_string());
                }
            });
        }
    });
}

#[test]
fn panics_leave_the_heap_in_order() {
    for n in 0..200 {
        let caught = catch_unwind(|| {
            let mut map: BTreeMap<String, Vec<u32>> = BTreeMap::new();
            for k in 0..n {
                map.entry(format!("{}", k % 17)).or_default().push(k);
            }
            assert!(map.len() > 1000, "{n} of {}", map.len());
        });
        let message = caught.unwrap_err().downcast::<String>().unwrap();
        assert!(message.starts_with(&format!("{n} of ")));
    }
}

#[test]
fn collections_grow_and_shrink() {
    let mut map = HashMap::new();
    for n in 0..200_000u64 {
        map.insert(n, vec![n; (n % 20) as usize]);
        if n % 3 == 0 {
            map.remove(&(n / 2));
        }
    }
    assert!(map.iter().all(|(n, values)| values.iter().all(|v| v == n)));
    map.shrink_to_fit();
    let mut text = String::new();
    while text.len() < 8 << 20 {
        text.push_str("longer and longer ");
    }
    text.truncate(100);
    text.shrink_to_fit();
    assert!(text.starts_with("longer"));
    let zeros = vec![0u64; 4 << 20];
    assert!(zeros.iter().all(|&word| word == 0));
    #[repr(align(4096))]
    struct Aligned([u8; 5000]);
    let aligned: Vec<Box<Aligned>> = (0..50).map(|n| Box::new(Aligned([n; 5000]))).collect();
    for (n, block) in aligned.iter().enumerate() {
        assert_eq!(std::ptr::from_ref::<Aligned>(block).addr() % 4096, 0);
        assert!(block.0.iter().all(|&byte| usize::from(byte) == n));
    }
}

//! Threads that free each other's blocks, end, and fork.

use super::oracle::{Held, Shadow, check_heap, nothing_is_left};
use super::process::{alone, each_way, forked};
use crate::base::class::CLASSES;
use crate::front::call::Call;
use crate::front::{registry, stats};
use core::ffi::c_void;
use core::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::vec::Vec;

/// A generator of numbers (G. Marsaglia, "Xorshift RNGs", 2003).
struct Numbers(u64);

impl Numbers {
    fn new(seed: u64) -> Numbers {
        Numbers((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    /// Mostly small; some fill a page with a few blocks, some have a span of their own.
    fn size(&mut self) -> usize {
        match self.below(100) {
            0..60 => self.below(300),
            60..90 => self.below(8 << 10),
            90..99 => self.below(200 << 10),
            _ => self.below(1 << 20),
        }
    }
}

/// Allocates, and sends blocks to all threads, itself included; frees or resizes what
/// comes.
fn trade(seed: u64, rounds: u64, out: Vec<Sender<Held>>, mail: &Receiver<Held>) {
    let mut numbers = Numbers::new(seed);
    let mut mine = Vec::new();
    for round in 0..rounds {
        let held = Held::alloc(numbers.size(), round).expect("memory");
        match numbers.below(3) {
            0 => mine.push(held),
            _ => {
                let _ = out[numbers.below(out.len())].send(held);
            }
        }
        if mine.len() > 400 {
            for _ in 0..numbers.below(400) {
                mine.swap_remove(numbers.below(mine.len())).free();
            }
        }
        for held in mail.try_iter().take(numbers.below(6)) {
            match numbers.below(4) {
                0 => mine.push(held.realloc(numbers.size().max(1), round)),
                _ => held.free(),
            }
        }
        if round % 1000 == 0 {
            check_heap();
        }
    }
    drop(out);
    mine.into_iter().for_each(Held::free);
    mail.iter().for_each(Held::free);
}

#[test]
fn blocks_change_hands() {
    each_way(concat!(module_path!(), "::blocks_change_hands"), || {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..4).map(|_| channel()).unzip();
        let threads: Vec<_> = receivers
            .into_iter()
            .enumerate()
            .map(|(seed, mail)| {
                let out = senders.clone();
                thread::spawn(move || trade(seed as u64, 8000, out, &mail))
            })
            .collect();
        drop(senders);
        threads
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        nothing_is_left();
    });
}

#[test]
fn a_census_sees_what_is_under_way() {
    let name = concat!(module_path!(), "::a_census_sees_what_is_under_way");
    each_way(name, || {
        let mut shadow = Shadow::default();
        let mut numbers = Numbers::new(1);
        for mark in 0..3000 {
            shadow.add(Held::alloc(numbers.size(), mark).expect("memory"));
        }
        shadow.check_census();
        let (out, mail) = channel::<Held>();
        let (answer, answers) = channel();
        let other = thread::spawn(move || {
            // Its outbox stays as it is from one answer to the next.
            for held in mail {
                held.free();
                answer.send(()).expect("a listener");
            }
        });
        while let Some(held) = shadow.take(numbers.below(3000)) {
            out.send(held).expect("a listener");
            answers.recv().expect("an answer");
            if shadow.len() % 50 == 0 {
                shadow.check_census();
            }
        }
        drop(out);
        other.join().unwrap();
        nothing_is_left();
    });
}

/// Makes blocks enough to fill pages, and sends them away.
fn make(seed: u64, count: usize, out: &Sender<Held>) {
    let mut numbers = Numbers::new(seed);
    for mark in 0..count as u64 {
        let size = match numbers.below(3) {
            0 => numbers.size(),
            _ => 4000,
        };
        let _ = out.send(Held::alloc(size, mark).expect("memory"));
    }
}

#[test]
fn blocks_outlive_their_threads() {
    let name = concat!(module_path!(), "::blocks_outlive_their_threads");
    each_way(name, || {
        for round in 0..60 {
            let (out, mail) = channel();
            let mail = Mutex::new(mail);
            thread::scope(|scope| {
                for seed in 0..3 {
                    let out = out.clone();
                    scope.spawn(move || make(round * 3 + seed, 300, &out));
                }
                drop(out);
                // Others free while the makers end, and end themselves.
                for _ in 0..2 {
                    scope.spawn(|| {
                        while let Ok(held) = { mail.lock().unwrap().recv() } {
                            held.free();
                        }
                    });
                }
            });
        }
        let heaps = stats::figures().heaps;
        assert!(heaps <= 12, "{heaps} heaps for six threads at a time");
        nothing_is_left();
    });
}

/// A thread that leaves without a word: no destructor of a key runs.
extern "C" fn make_and_vanish(out: *mut c_void) -> *mut c_void {
    // SAFETY: the sender outlives the thread, which its maker joins.
    make(7, 300, unsafe { &*out.cast::<Sender<Held>>() });
    // SAFETY: ends this thread alone, whose stack libc frees when it is joined.
    unsafe { libc::syscall(libc::SYS_exit, 0) };
    null_mut()
}

#[test]
fn a_thread_that_vanishes_strands_nothing() {
    let name = concat!(module_path!(), "::a_thread_that_vanishes_strands_nothing");
    each_way(name, || {
        let (out, mail) = channel();
        for _ in 0..20 {
            let mut thread = 0;
            // SAFETY: the sender lives on this stack until the thread has ended.
            unsafe {
                let sender = (&raw const out).cast_mut().cast();
                libc::pthread_create(&mut thread, core::ptr::null(), make_and_vanish, sender);
                libc::pthread_join(thread, null_mut());
            }
            mail.try_iter().for_each(Held::free);
        }
        // Whoever gets a heap looks for heaps without a thread.
        for _ in 0..20 {
            thread::spawn(|| Held::alloc(10, 0).unwrap().free())
                .join()
                .unwrap();
        }
        let heaps = stats::figures().heaps;
        assert!(heaps <= 8, "{heaps} heaps for two threads at a time");
        nothing_is_left();
    });
}

#[test]
fn an_owner_that_sleeps_holds_no_memory() {
    let name = concat!(module_path!(), "::an_owner_that_sleeps_holds_no_memory");
    each_way(name, || {
        let (out, mail) = channel();
        let (wake, sleep) = channel::<()>();
        let owner = thread::spawn(move || {
            for mark in 0..20_000 {
                out.send(Held::alloc(1000, mark).expect("memory")).unwrap();
            }
            drop(out);
            let _ = sleep.recv();
        });
        let held: Vec<_> = mail.iter().collect();
        let full = stats::figures().spans;
        held.into_iter().for_each(Held::free);
        let left = stats::figures().spans;
        assert!(
            full > 16 << 20 && left < 2 << 20,
            "{left} of {full} bytes are left"
        );
        drop(wake);
        owner.join().unwrap();
        nothing_is_left();
    });
}

#[test]
fn huge_blocks_move_and_end_side_by_side() {
    let name = concat!(module_path!(), "::huge_blocks_move_and_end_side_by_side");
    alone(name, "", || {
        let churn = |seed| {
            let mut numbers = Numbers::new(seed);
            for _ in 0..3000 {
                let size = (17 << 20) + (numbers.below(30) << 20);
                // SAFETY: the block is this thread's, from its making to its end.
                unsafe {
                    let mut block = crate::front::alloc::alloc(size, &Call::UNKNOWN);
                    for _ in 0..numbers.below(3) {
                        block.write(seed as u8);
                        let size = (17 << 20) + (numbers.below(60) << 20);
                        block = crate::front::realloc::realloc(block, size, &Call::UNKNOWN)
                            .expect("a block of ours");
                        assert_eq!(block.read(), seed as u8);
                    }
                    crate::front::free::free(block);
                }
            }
        };
        thread::scope(|scope| {
            for seed in 0..4 {
                scope.spawn(move || churn(seed));
            }
        });
        nothing_is_left();
    });
}

#[test]
fn a_fork_finds_every_heap_in_order() {
    let name = concat!(module_path!(), "::a_fork_finds_every_heap_in_order");
    each_way(name, || {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..2).map(|_| channel()).unzip();
        let stop = AtomicBool::new(false);
        let mine: Vec<_> = (0..500)
            .filter_map(|mark| Held::alloc(mark * 7, mark as u64))
            .collect();
        thread::scope(|scope| {
            for (seed, mail) in receivers.into_iter().enumerate() {
                let (out, stop) = (senders.clone(), &stop);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        trade_some(seed as u64, &out, &mail);
                    }
                    drop(out);
                    mail.iter().for_each(Held::free);
                });
            }
            drop(senders);
            for _ in 0..30 {
                let child = forked(|| {
                    mine.iter().for_each(Held::check);
                    check_heap();
                    let heap = registry::heap();
                    for class in 0..CLASSES {
                        registry::adopt_some(heap, class);
                    }
                    registry::heaps().for_each(|dead| {
                        registry::tidy_dead(heap, dead);
                    });
                    let more: Vec<_> = (0..2000)
                        .filter_map(|mark| Held::alloc(mark * 3, mark as u64))
                        .collect();
                    more.into_iter().for_each(Held::free);
                    mine.iter().for_each(Held::check);
                });
                stop.store(child.is_err(), Ordering::Relaxed);
                child.unwrap();
            }
            stop.store(true, Ordering::Relaxed);
        });
        mine.into_iter().for_each(Held::free);
        nothing_is_left();
    });
}

fn trade_some(seed: u64, out: &[Sender<Held>], mail: &Receiver<Held>) {
    let mut numbers = Numbers::new(seed);
    for round in 0..200 {
        let held = Held::alloc(numbers.size(), round).expect("memory");
        let _ = out[numbers.below(out.len())].send(held);
        mail.try_iter().take(3).for_each(Held::free);
    }
}

//! The regions of `bench regions` over rayon. `regions KIND STRETCH THREADS TIMES LENGTH...` prints,
//! a line for each length, how many times as fast as their serial form regions of so many us are,
//! after a stretch of STRETCH us each. `bench/probes/regions.ml` has the definition.

use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

const LEAVES_IN_US: usize = 5;

fn work(rounds: usize) {
    let mut x: u64 = 1;
    for _ in 0..rounds {
        x = x.wrapping_mul(1103515245).wrapping_add(12345) & 0x3fffffff;
    }
    black_box(x);
}

fn seconds(f: impl FnOnce()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64()
}

/// How many rounds take 0.2 us. The least of some times, as others may be at work.
fn leaf() -> usize {
    let rounds = 1_000_000;
    let least = (0..10)
        .map(|_| seconds(|| work(rounds)))
        .fold(f64::INFINITY, f64::min);
    (rounds as f64 * 0.2e-6 / least) as usize
}

fn fork(parallel: bool, f: impl FnOnce() + Send, g: impl FnOnce() + Send) {
    if parallel {
        rayon::join(f, g);
    } else {
        f();
        g();
    }
}

fn tree(parallel: bool, leaf: usize, leaves: usize) {
    if leaves <= 1 {
        return work(leaf);
    }
    let half = leaves / 2;
    fork(
        parallel,
        || tree(parallel, leaf, half),
        || tree(parallel, leaf, leaves - half),
    )
}

fn region(kind: &str, parallel: bool, leaf: usize, leaves: usize) {
    let half = || work(leaf * leaves / 2);
    match (kind, parallel) {
        ("halves", _) => fork(parallel, half, half),
        ("tree", _) => tree(parallel, leaf, leaves),
        ("loop", true) => (0..leaves).into_par_iter().for_each(|_| work(leaf)),
        ("loop", false) => (0..leaves).for_each(|_| work(leaf)),
        _ => panic!("unknown kind {kind}"),
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let n = samples.len();
    (samples[(n - 1) / 2] + samples[n / 2]) / 2.
}

fn speed_up(kind: &str, leaf: usize, stretch: usize, times: usize, length: usize) -> f64 {
    let leaves = length * LEAVES_IN_US;
    let alone = (0..times)
        .map(|_| seconds(|| region(kind, false, leaf, leaves)))
        .collect();
    let mut all: Vec<f64> = (0..times + times / 5)
        .map(|_| {
            work(stretch * LEAVES_IN_US * leaf);
            seconds(|| region(kind, true, leaf, leaves))
        })
        .skip(times / 5)
        .collect();
    // But for the tenth that took longest.
    all.sort_by(f64::total_cmp);
    let most = times - times / 10;
    let mean = all[..most].iter().sum::<f64>() / most as f64;
    median(alone) / mean
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, numbers @ ..] = &arguments[..] else {
        panic!("usage: regions KIND STRETCH THREADS TIMES LENGTH...")
    };
    let numbers: Vec<usize> = numbers
        .iter()
        .map(|text| text.parse().expect("a number"))
        .collect();
    let [stretch, threads, times, lengths @ ..] = &numbers[..] else {
        panic!("usage: regions KIND STRETCH THREADS TIMES LENGTH...")
    };
    let leaf = leaf();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(*threads)
        .build()
        .expect("a pool");
    pool.install(|| {
        let longest = lengths.last().expect("a length") * LEAVES_IN_US;
        (0..*times).for_each(|_| region(kind, true, leaf, longest));
        for length in lengths {
            println!("{}", speed_up(kind, leaf, *stretch, *times, *length));
        }
    });
}

//! The shapes of `bench fork-shapes` over `rayon::join`. `forks SHAPE N THREADS` prints how many
//! seconds a run takes: the median of five, after one that does not count.

use std::hint::black_box;
use std::time::Instant;

fn nothing() {
    black_box(())
}

fn tree(depth: usize) {
    if depth > 0 {
        rayon::join(|| tree(depth - 1), || tree(depth - 1));
    }
}

fn left(depth: usize) {
    if depth > 0 {
        rayon::join(|| left(depth - 1), nothing);
    }
}

fn right(depth: usize) {
    if depth > 0 {
        rayon::join(nothing, || right(depth - 1));
    }
}

fn pair() {
    rayon::join(
        || {
            rayon::join(nothing, nothing);
        },
        nothing,
    );
}

fn fib(n: usize) -> usize {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn run(shape: &str, n: usize) {
    match shape {
        "tree" => tree(n),
        "fib" => {
            black_box(fib(n));
        }
        "for" => (0..n).for_each(|_| {
            rayon::join(nothing, nothing);
        }),
        "pairs" => (0..n).for_each(|_| pair()),
        "sevens" => (0..n).for_each(|_| tree(3)),
        "left" => (0..n).for_each(|_| left(1000)),
        "right" => (0..n).for_each(|_| right(1000)),
        _ => panic!("unknown shape {shape}"),
    }
}

fn seconds(shape: &str, n: usize) -> f64 {
    let start = Instant::now();
    run(shape, n);
    start.elapsed().as_secs_f64()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [shape, n, threads] = &arguments[..] else {
        panic!("usage: forks SHAPE N THREADS")
    };
    let number = |text: &String| text.parse::<usize>().expect("a number");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(number(threads))
        .build()
        .expect("a pool");
    let mut samples: Vec<f64> = pool.install(|| {
        seconds(shape, number(n));
        (0..5).map(|_| seconds(shape, number(n))).collect()
    });
    samples.sort_by(f64::total_cmp);
    println!("{}", samples[2]);
}

//! What tests wait for, and cases that spend their time waiting.

use std::{
    panic::resume_unwind,
    thread,
    time::{Duration, Instant},
};

/// Until the times of what was just written are trusted: `machine::stat` trusts none that is
/// younger than 50 ms, and on a fast machine a command takes less.
pub fn until_times_are_trusted() {
    thread::sleep(Duration::from_millis(60));
}

/// Plays all cases at the same time; those that change anything need a world each. What they give,
/// in their order.
pub fn at_once<T: Copy + Send + Sync, R: Send>(
    cases: &[T],
    test: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    thread::scope(|scope| {
        let test = &test;
        let played: Vec<_> = cases.iter().map(|&case| scope.spawn(move || test(case))).collect();
        let given = played.into_iter().map(|case| case.join());
        given.map(|given| given.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// What a run gives, and how much longer it takes than one that waits for nothing, of which the
/// slower counts of two, before it and after it. What else the machine does slows both alike.
pub fn longer_than<T>(usual: impl Fn(), run: impl FnOnce() -> T) -> (T, Duration) {
    let time_usual = || {
        let since = Instant::now();
        usual();
        since.elapsed()
    };
    let before = time_usual();
    let since = Instant::now();
    let given = run();
    let took = since.elapsed();
    (given, took.saturating_sub(before.max(time_usual())))
}

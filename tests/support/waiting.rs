//! Cases that spend their time waiting.

use std::thread;

/// Plays all cases at the same time; each needs a world of its own.
pub fn at_once<T: Copy + Send + Sync>(cases: &[T], test: impl Fn(T) + Sync) {
    thread::scope(|scope| {
        for &case in cases {
            let test = &test;
            scope.spawn(move || test(case));
        }
    });
}

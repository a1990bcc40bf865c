//! One integration-test binary: journeys of people, laws of the merge, the model of three laptops, servers, crashes, the architecture.

mod architecture;
mod journey;
mod laws;
mod model;
mod support;

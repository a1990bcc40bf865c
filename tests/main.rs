//! One integration-test binary: journeys of people, laws of the merge, the model of three laptops, the architecture.
mod model;

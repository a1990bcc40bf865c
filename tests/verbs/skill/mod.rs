//! `co skill`: what agents can do, who agreed to it, and what is refused.

mod agreed;
mod attacks;
mod changed;
mod hostile;

//! The program: everything is in the library.

fn main() -> std::process::ExitCode {
    co_cli::cli::run(std::env::args_os())
}

//! Entry point; calls `co_cli::cli::run`.

fn main() -> std::process::ExitCode {
    co_cli::cli::run(std::env::args_os())
}

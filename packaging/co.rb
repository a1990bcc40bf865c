# Homebrew formula. `packaging/release.sh` fills in the version and the sums.
class Co < Formula
  desc "Keeps what your AI agents know about you as a git repository of markdown"
  homepage "https://github.com/OWNER/co"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/OWNER/co/releases/download/v@VERSION@/co-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/OWNER/co/releases/download/v@VERSION@/co-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/OWNER/co/releases/download/v@VERSION@/co-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "https://github.com/OWNER/co/releases/download/v@VERSION@/co-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "bin/co"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/co"
    zsh_completion.install "share/zsh/site-functions/_co"
    fish_completion.install "share/fish/vendor_completions.d/co.fish"
    doc.install Dir["share/doc/co/*"]
  end

  test do
    assert_match "co #{version}", shell_output("#{bin}/co --version")
  end
end

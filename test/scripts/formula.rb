# A Homebrew formula; release.sh fills in the version and the sums.
class Clopt < Formula
  desc "Optimization of functions of many variables on OpenCL devices"
  homepage "https://github.com/clopt/clopt"
  version "@VERSION@"
  license "BSD-3-Clause"

  base = "https://github.com/clopt/clopt/releases/download/v#{version}/clopt-#{version}"
  on_macos do
    on_arm do
      url "#{base}-darwin-arm64.tar.gz"
      sha256 "@DARWIN_ARM64@"
    end
    on_intel do
      url "#{base}-darwin-amd64.tar.gz"
      sha256 "@DARWIN_AMD64@"
    end
  end
  on_linux do
    depends_on "pocl"
    on_arm do
      url "#{base}-linux-arm64.tar.gz"
      sha256 "@LINUX_ARM64@"
    end
    on_intel do
      url "#{base}-linux-amd64.tar.gz"
      sha256 "@LINUX_AMD64@"
    end
  end

  def install
    bin.install "clopt"
    man1.install Dir["man/man1/*"]
    man7.install Dir["man/man7/*"]
    generate_completions_from_executable(bin/"clopt", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/clopt version")
  end
end

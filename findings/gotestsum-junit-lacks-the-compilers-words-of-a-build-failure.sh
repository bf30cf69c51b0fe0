#!/usr/bin/env bash
# gotestsum v1.13.0 with Go 1.26: where a package does not compile, the JUnit holds a
# failed case "[build failed]" and none of the compiler's words: since Go 1.24 they
# are build-output events, which reach the terminal only. Whoever reads JUnit alone
# sees that it failed and never why. Seen: the terminal has "undefined: tide" once or
# more, the JUnit has it 0 times.
set -euo pipefail
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf 'package harbour\n\nimport "testing"\n\nfunc TestTide(t *testing.T) { _ = tide }\n' >tide_test.go
go mod init finding >/dev/null 2>&1
GOBIN="$dir/bin" go install gotest.tools/gotestsum@v1.13.0 >/dev/null 2>&1
if bin/gotestsum --junitfile junit.xml >terminal.txt 2>&1; then echo "it compiled"; exit 1; fi
terminal="$(grep -c 'undefined: tide' terminal.txt || true)"
junit="$(grep -c 'undefined: tide' junit.xml || true)"
failed="$(grep -c 'build failed' junit.xml || true)"
echo "terminal: $terminal, JUnit: $junit, [build failed] in JUnit: $failed"
[ "$terminal" -gt 0 ] && [ "$junit" = 0 ] && [ "$failed" -gt 0 ] || { echo "this has changed"; exit 1; }

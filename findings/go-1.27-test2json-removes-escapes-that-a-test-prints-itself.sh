#!/usr/bin/env bash
# go test -json of Go 1.27.4 removes ESC (0x1b) from what a test prints by fmt.Println,
# and keeps it in what goes through t.Log: package testing escapes a log's control bytes
# by ESC, and test2json takes every ESC for that. Go 1.26.8 keeps both. So a text that
# carries its own colours, or a model's answer with an ESC, reads differently by version
# and by the way in which it was printed. Seen: "1.26: print 1, log 1", "1.27: print 0,
# log 1".
set -euo pipefail
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >tide_test.go <<'GO'
package harbour

import (
	"fmt"
	"testing"
)

func TestTide(t *testing.T) {
	fmt.Println("printed \x1b[31mred")
	t.Log("logged \x1b[31mred")
}
GO
printf 'module finding\n\ngo 1.26.0\n' >go.mod
count() { GOTOOLCHAIN="$1" go test -json . | grep "\"Output\":\"[^\"]*$2" | grep -c 'u001b\[31m' || true; }
seen="1.26: print $(count go1.26.8 printed), log $(count go1.26.8 logged)
1.27: print $(count go1.27.4 printed), log $(count go1.27.4 logged)"
echo "$seen"
[ "$seen" = $'1.26: print 1, log 1\n1.27: print 0, log 1' ] || { echo "this has changed"; exit 1; }

#!/usr/bin/env bash
# google.golang.org/genai v1.77.0: a valid JSON Schema with numbers in an enum cannot be
# read into genai.Schema (an error of Unmarshal), and a parameter's "default": null is
# dropped without one, though "default": 4 stays. FunctionDeclaration's
# ParametersJsonSchema takes both as they are. Seen with Go 1.26: "enum of numbers:
# error", "default 4: kept", "default null: dropped".
set -euo pipefail
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/genai"
)

func main() {
	var schema genai.Schema
	if err := json.Unmarshal([]byte(`{"type":"integer","enum":[2,4,8]}`), &schema); err != nil {
		fmt.Println("enum of numbers: error")
	}
	for _, value := range []string{"4", "null"} {
		var schema genai.Schema
		if err := json.Unmarshal([]byte(`{"type":"integer","default":`+value+`}`), &schema); err != nil {
			panic(err)
		}
		kept, err := json.Marshal(schema)
		if err != nil {
			panic(err)
		}
		fmt.Printf("default %s: %s\n", value, map[bool]string{true: "kept", false: "dropped"}[strings.Contains(string(kept), `"default"`)])
	}
}
GO
go mod init finding >/dev/null 2>&1
go get google.golang.org/genai@v1.77.0 >/dev/null 2>&1
go mod tidy >/dev/null 2>&1
seen="$(go run .)"
echo "$seen"
[ "$seen" = $'enum of numbers: error\ndefault 4: kept\ndefault null: dropped' ] || { echo "this has changed"; exit 1; }

#!/usr/bin/env bash
# github.com/ollama/ollama v0.17.4, package api: a tool read into api.Tool, as the
# server reads a request, loses a parameter's "default", "minimum" and "format", and
# the "required" of a nested object, without an error; that of the whole function and
# every enum stay. So the template, and with it the model, never sees them. Seen with
# Go 1.26: the line printed below.
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

	"github.com/ollama/ollama/api"
)

const sent = `{"type":"function","function":{"name":"moor","description":"d","parameters":{"type":"object","required":["berth"],
"properties":{"berth":{"type":"object","description":"d","properties":{"pier":{"type":"string","enum":["east","west"]}},"required":["pier"]},
"hours":{"type":"integer","description":"d","default":4,"minimum":1},"from":{"type":"string","format":"date","description":"d"}}}}}`

func main() {
	var tool api.Tool
	if err := json.Unmarshal([]byte(sent), &tool); err != nil {
		panic(err)
	}
	kept, err := json.Marshal(tool)
	if err != nil {
		panic(err)
	}
	for _, word := range []string{`"default"`, `"minimum"`, `"format"`, `"required"`, `"enum"`} {
		fmt.Printf("%s %d of %d; ", strings.Trim(word, `"`), strings.Count(string(kept), word), strings.Count(sent, word))
	}
	fmt.Println()
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/ollama/ollama@v0.17.4 >/dev/null 2>&1
go mod tidy >/dev/null 2>&1
seen="$(go run .)"
echo "$seen"
[ "$seen" = "default 0 of 1; minimum 0 of 1; format 0 of 1; required 1 of 2; enum 1 of 1; " ] || { echo "this has changed"; exit 1; }

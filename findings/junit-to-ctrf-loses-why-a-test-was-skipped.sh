#!/usr/bin/env bash
# junit-to-ctrf 0.0.14 (npm, Node 20): the message and the text of <skipped> are gone
# from the CTRF report, though those of <failure> arrive as message and trace. Seen:
# "failed: wrong unit", "skipped: undefined". A job that reports why it skipped shows
# nothing in a CTRF view.
set -euo pipefail
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >junit.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="harbour" tests="2" failures="1" skipped="1">
<testcase classname="tides" name="a" time="0.1"><failure message="wrong unit">metres, not feet</failure></testcase>
<testcase classname="tides" name="b" time="0.1"><skipped message="needs a key">set HARBOUR_KEY</skipped></testcase>
</testsuite></testsuites>
XML
npm init -y >/dev/null 2>&1
npm install --silent junit-to-ctrf@0.0.14 >/dev/null 2>&1
npx junit-to-ctrf junit.xml -o ctrf.json >/dev/null 2>&1
seen="$(node -e 'for (const t of JSON.parse(require("fs").readFileSync("ctrf.json")).results.tests) console.log(`${t.status}: ${t.message}`)')"
echo "$seen"
if grep -q "set HARBOUR_KEY\|needs a key" ctrf.json; then echo "this has changed"; exit 1; fi
[ "$seen" = $'failed: wrong unit\nskipped: undefined' ] || { echo "this has changed"; exit 1; }

// Command bfcl runs the Berkeley Function-Calling Leaderboard's suite under
// go test and turns what the run leaves behind into scores and reports.
package main

import "os"

func main() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

package main

import (
	"fmt"
	"slices"
	"strings"
)

// goTestFlags are go test's flags, except those that `bfcl run` understands.
var goTestFlags = strings.Fields(`C a args artifacts asan asmflags bench benchmem benchtime blockprofile
	blockprofilerate buildmode buildvcs c compiler count cover covermode coverpkg coverprofile cpu cpuprofile exec
	failfast fullpath fuzz fuzzminimizetime fuzztime gccgoflags gcflags installsuffix ldflags linkshared list
	memprofile memprofilerate mod modcacherw modfile msan mutexprofile mutexprofilefraction n o outputdir overlay p
	parallel pgo pkgdir race short shuffle skip tags toolexec trace trimpath v vet work x`)

// notGoTest is the error for a flag of go test, which bfcl run has no use for
// since it does not compile. For any other word it returns the given error.
func notGoTest(word string, other error) error {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	name = strings.TrimPrefix(name, "test.")
	if !slices.Contains(goTestFlags, name) {
		return other
	}
	return fmt.Errorf("-%s is a flag of go test, and `bfcl run` runs its built-in suite: use go test in a checkout, as in `go test . -%s -model=…`", name, name)
}

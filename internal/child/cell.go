// Package child starts a user's programs: as a group that ends with all that it
// started, and in a cell, where they see neither some folders nor the processes
// that started them. Where the system has no cells, Check says so.
//
// A program in a cell is started through this program, which hides the folders
// and then becomes the program.
package child

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Word is the argument with which this program starts itself in a cell.
const Word = "own-cell"

// ready reports whether this program hands Word to Enter.
var ready bool

// Ready says that this program hands Word to Enter.
func Ready() { ready = true }

// Wrap makes a program that is about to be started begin in a cell in which
// folders are empty.
func Wrap(cmd *exec.Cmd, hidden []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{self, Word}
	for _, dir := range hidden {
		args = append(args, "-"+dir)
	}
	cmd.Args = append(append(args, "--", cmd.Path), cmd.Args...)
	cmd.Path = self
	own(cmd)
	return nil
}

// Folders returns the folders among some paths that can be hidden: those that
// exist, without links.
func Folders(paths ...string) (out []string) {
	for _, path := range paths {
		if path == "" {
			continue
		}
		full, err := filepath.Abs(path)
		if err == nil {
			full, err = filepath.EvalSymlinks(full)
		}
		if info, statErr := os.Stat(full); err == nil && statErr == nil && info.IsDir() {
			out = append(out, full)
		}
	}
	return out
}

// Check returns why a program with these arguments cannot be kept from seeing
// folders; "" if it can be.
func Check(args, hidden []string) string {
	if !ready {
		return "only the command bfcl can do it"
	}
	here, _ := os.Getwd()
	for _, path := range append([]string{here}, args...) {
		if found, err := exec.LookPath(path); err == nil {
			path = found
		}
		for _, full := range append(Folders(filepath.Dir(path)), Folders(path)...) {
			for _, dir := range hidden {
				if rel, err := filepath.Rel(dir, full); err == nil && filepath.IsLocal(rel) {
					return fmt.Sprintf("%s is in the folder %s, which has answers", filepath.Base(path), filepath.Base(dir))
				}
			}
		}
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	probe := exec.CommandContext(ctx, "true")
	if probe.Err != nil {
		return probe.Err.Error()
	}
	err := Wrap(probe, hidden)
	if err != nil {
		return err.Error()
	}
	if out, err := probe.CombinedOutput(); err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(string(out)+" "+err.Error()), "\n")
		return why
	}
	return ""
}

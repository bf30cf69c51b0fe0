package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gobfcl/bfcl/internal/say"
)

// Flips is how many differing cases the Markdown of a decision lists in each
// direction.
const Flips = 50

// Tell reports the decision to GitHub Actions: it adds it to the step's
// summary, and writes an annotation to w for each rule that was not kept.
// Outside GitHub Actions it does nothing. File is the gate file.
func (d *Decision) Tell(w io.Writer, file string) error {
	var text bytes.Buffer
	_ = d.Markdown(&text, Flips) // a Buffer takes everything
	Summarize(w, text.Bytes())
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		return d.Annotate(w, file)
	}
	return nil
}

// Summarize adds Markdown to the summary of a step in GitHub Actions, if there
// is one. If it cannot, it writes the reason to w.
func Summarize(w io.Writer, text []byte) {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.Write(append(text, '\n'))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		_, _ = fmt.Fprintln(w, "bfcl: no step summary: "+say.Printable(err.Error(), 300))
	}
}

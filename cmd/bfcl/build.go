package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (a *app) buildCommand() *cobra.Command {
	var out, tags, checkout string
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build the suite as one static binary",
		Long: `Build the suite's test, with the starter data and all simulators, as one static
binary without CGO. It needs neither a checkout nor the go command where it runs,
takes the suite's flags, and writes run folders that bfcl score reads:

  ./bfcl-suite -model=openai:qwen3-8b -base-url=http://model:8000/v1 -run-dir=run
  bfcl score run

GOOS, GOARCH and GOFLAGS count as for go build: GOFLAGS=-trimpath makes the
binary the same wherever it is built. The command must run in
a checkout, or be told of one with -C.

` + exitCodes,
		Example: `  bfcl build
  GOARCH=arm64 bfcl build -o suite-arm64 -tags=anthropic,gemini`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error { return a.build(checkout, out, tags) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "bfcl-suite", "the `file` to write")
	cmd.Flags().StringVar(&tags, "tags", "", "build `tags` of adapters, such as anthropic,gemini")
	cmd.Flags().StringVarP(&checkout, "directory", "C", ".", "the `checkout` whose test is built")
	return cmd
}

func (a *app) build(checkout, out, tags string) error {
	root, err := moduleRoot(checkout)
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	cmd := exec.Command("go", "test", "-c", "-ldflags=-s -w", "-tags="+tags, "-o", out, ".")
	var said tail
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, &said, &said
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("there is no go command on the PATH: `bfcl build` compiles with it")
		}
		return fmt.Errorf("go test -c: %w\n%s", err, said.String())
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "%s  %.1f MB\n", out, float64(info.Size())/1e6)
	return nil
}

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/say"
)

// dataFlag defines the flag that names the data directory.
func dataFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
}

// makesData marks a command that makes the data directory if it is missing.
const makesData = "makes-data"

// checkData refuses a -data folder that does not exist or, if the command would
// make it, one whose parent does not exist.
func checkData(cmd *cobra.Command) error {
	flag := cmd.Flags().Lookup("data")
	if flag == nil || flag.Value.String() == "" {
		return nil
	}
	dir := flag.Value.String()
	check, _ := cmd.Flags().GetBool("check")
	if _, err := os.Stat(dir); err != nil && cmd.Annotations[makesData] != "" && !check {
		parent := filepath.Dir(filepath.Clean(dir))
		if info, err := os.Stat(parent); err != nil || !info.IsDir() {
			return fmt.Errorf("-data: there is no folder %s to make %s in", say.Quote(parent, 500), say.Quote(filepath.Base(dir), 500))
		}
		return nil
	}
	return fixtures.CheckDataDir(dir)
}

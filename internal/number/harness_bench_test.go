package number_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// BenchmarkPipe judges a real model's single-turn answers in function-calling
// mode, line by line.
func BenchmarkPipe(b *testing.B) {
	var lines [][]byte
	files, err := filepath.Glob(filepath.Join(testkit.Shared(b, "recorded", "v4", "gpt-oss-120b"), "result", "*", "*live", "*.json"))
	require.NoError(b, err)
	for _, file := range files {
		if strings.Contains(file, "relevance") {
			continue
		}
		rows, err := record.Read(file, false)
		require.NoError(b, err)
		for _, row := range rows {
			result, err := pyval.JSON(row.Result, 0)
			require.NoError(b, err)
			lines = append(lines, fmt.Appendf(nil, "{\"id\": %q, \"mode\": \"fc\", \"result\": %s}\n", row.ID, result))
		}
	}
	p := evaluate.Pipe{Bench: &evaluate.Bench{Data: testkit.Shared(b, "bfcl")}, Dataset: "v4", Mode: eval.FC}
	_, err = p.Run(bytes.NewReader(lines[0]), io.Discard)
	require.NoError(b, err)
	var in bytes.Buffer
	for i := range b.N {
		in.Write(lines[i%len(lines)])
	}
	b.ResetTimer()
	n, err := p.Run(&in, io.Discard)
	require.NoError(b, err)
	require.Equal(b, b.N, n.Lines)
	require.Zero(b, n.Bad)
}

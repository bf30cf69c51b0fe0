package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// synthetic writes a made-up dataset of any size, to measure how the
// suite's cost grows.
//
//	go run ./internal/test/bench synthetic -cases 5000 -o dataset
func synthetic() {
	cases := flag.Int("cases", 5000, "the number of `cases`, all of simple_python")
	out := flag.String("o", "dataset", "the `folder` to write")
	flag.Parse()
	if err := write(*out, *cases); err != nil {
		log.Fatal("synthetic: ", err)
	}
}

// write writes questions and possible answers: order some parts by number,
// quantity, and place, in varying numbers.
func write(dir string, cases int) error {
	if err := os.MkdirAll(filepath.Join(dir, "possible_answer"), 0o755); err != nil {
		return err
	}
	const name = "BFCL_v4_simple_python.json"
	err := lines(filepath.Join(dir, name), cases, func(w *bufio.Writer, i int) {
		fmt.Fprintf(w, `{"id": "simple_python_%d", "question": [[{"role": "user", "content": "Order %d pieces of part P-%d for the depot in Hall %d, and mark it as urgent."}]], `, i, i%97+1, i, i%12+1)
		fmt.Fprintln(w, `"function": [{"name": "parts.order", "description": "Order spare parts for a depot.", "parameters": {"type": "dict", "properties": {"part": {"type": "string", "description": "The part's number."}, "pieces": {"type": "integer", "description": "How many pieces."}, "depot": {"type": "string", "description": "Where to."}, "urgent": {"type": "boolean", "description": "Whether it is urgent.", "default": false}}, "required": ["part", "pieces", "depot"]}}]}`)
	})
	if err != nil {
		return err
	}
	return lines(filepath.Join(dir, "possible_answer", name), cases, func(w *bufio.Writer, i int) {
		fmt.Fprintf(w, `{"id": "simple_python_%d", "ground_truth": [{"parts.order": {"part": ["P-%d"], "pieces": [%d], "depot": ["Hall %d", "hall %d"], "urgent": [true]}}]}`+"\n", i, i, i%97+1, i%12+1, i%12+1)
	})
}

func lines(path string, n int, line func(w *bufio.Writer, i int)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for i := range n {
		line(w, i)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}

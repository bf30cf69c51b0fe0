// First calls the first function with no arguments, or says that there is none.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
)

type request struct {
	ID    string
	Mode  string
	Tools []struct{ Name string }
}

type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

type answer struct {
	ID    string `json:"id"`
	Calls []call `json:"calls,omitempty"`
	Text  string `json:"text,omitempty"`
}

func main() {
	for in := json.NewDecoder(os.Stdin); ; {
		var req request
		if err := in.Decode(&req); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		out := answer{ID: req.ID, Text: "I can only call functions."}
		if req.Mode == "fc" && len(req.Tools) > 0 {
			out = answer{ID: req.ID, Calls: []call{{req.Tools[0].Name, map[string]any{}}}}
		}
		line, err := json.Marshal(out)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(line))
	}
}

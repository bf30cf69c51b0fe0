package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/near"
)

// A clientConfig is how a client is told of a server that it starts.
type clientConfig struct {
	name string
	// text is the configuration for a command and its arguments.
	text func(command []string) string
}

// clientConfigs are those of the usual clients, as their documentation has them.
var clientConfigs = []clientConfig{
	{"claude-code", func(c []string) string {
		return "claude mcp add bfcl -- " + strings.Join(c, " ") + "\n\nor, in .mcp.json:\n\n" + serversJSON("mcpServers", c)
	}},
	{"cursor", func(c []string) string { return "in .cursor/mcp.json:\n\n" + serversJSON("mcpServers", c) }},
	{"vscode", func(c []string) string { return "in .vscode/mcp.json:\n\n" + serversJSON("servers", c) }},
	{"codex", func(c []string) string {
		return "in ~/.codex/config.toml:\n\n[mcp_servers.bfcl]\ncommand = " + quoted(c[0]) + "\nargs = " + quoted(c[1:])
	}},
	{"inspector", func(c []string) string { return "npx @modelcontextprotocol/inspector " + strings.Join(c, " ") }},
	{"langgraph", func(c []string) string {
		return `from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient({"bfcl": {
    "transport": "stdio", "command": ` + quoted(c[0]) + `,
    "args": ` + quoted(c[1:]) + `,
}})
tools = await client.get_tools()`
	}},
	{"eino", func(c []string) string {
		return `// "github.com/mark3labs/mcp-go/client" is c, its "mcp" is m, and
// "github.com/cloudwego/eino-ext/components/tool/mcp" is tool.
cli, err := c.NewStdioMCPClient(` + quoted(c[0]) + `, nil, ` + strings.Trim(quoted(c[1:]), "[]") + `)
_, err = cli.Initialize(ctx, m.InitializeRequest{Params: m.InitializeParams{
	ProtocolVersion: m.LATEST_PROTOCOL_VERSION,
	ClientInfo:      m.Implementation{Name: "agent", Version: "1"},
}})
tools, err := tool.GetTools(ctx, &tool.Config{Cli: cli})`
	}},
}

func configNames() []string {
	out := make([]string, len(clientConfigs))
	for i, c := range clientConfigs {
		out[i] = c.name
	}
	return out
}

func serversJSON(key string, command []string) string {
	server := map[string]any{"command": command[0], "args": command[1:]}
	text, _ := json.MarshalIndent(map[string]any{key: map[string]any{"bfcl": server}}, "", "  ")
	return string(text)
}

// quoted is a text, or a list of texts, as JSON, TOML, Python and Go have it.
func quoted(v any) string {
	text, _ := json.Marshal(v)
	return strings.ReplaceAll(string(text), `","`, `", "`)
}

// printConfig prints a client's configuration for what the flags say.
func (s *serving) printConfig() error {
	for _, c := range clientConfigs {
		if c.name == s.config {
			_, err := fmt.Fprintln(s.out, c.text(s.command()))
			return err
		}
	}
	return misuse.Errorf("--print-config: unknown client %q%s", s.config, near.Hint(s.config, configNames()))
}

// command is this command over standard input and output.
func (s *serving) command() []string {
	id := s.id
	if id == "" {
		id = firstCase
	}
	out := []string{"bfcl", "serve", "--stdio", "--case", id}
	for _, flag := range []struct{ name, value, usual string }{
		{"--dataset", s.data.dataset, "starter"}, {"--data", s.data.data, ""},
	} {
		if flag.value != flag.usual {
			out = append(out, flag.name, flag.value)
		}
	}
	return out
}

// A readCloser and a writeCloser are streams that nobody closes.
type (
	readCloser  struct{ io.Reader }
	writeCloser struct{ io.Writer }
)

// Close does nothing.
func (readCloser) Close() error { return nil }

// Close does nothing.
func (writeCloser) Close() error { return nil }

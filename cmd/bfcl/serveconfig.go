package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/kit/safe"
)

// A clientConfig is how a client is configured to start a server.
type clientConfig struct {
	name string
	// text is the configuration for a command and its arguments.
	text func(command []string) string
}

// clientConfigs are those of the usual clients, as in their documentation;
// docs/agents.md says where and when that was looked up.
var clientConfigs = []clientConfig{
	{"claude-code", func(c []string) string {
		return "claude mcp add bfcl -- " + shellLine(c) + "\n\nor, in .mcp.json:\n\n" + serversJSON("mcpServers", "", c)
	}},
	{"cursor", func(c []string) string { return "in .cursor/mcp.json:\n\n" + serversJSON("mcpServers", "", c) }},
	{"vscode", func(c []string) string { return "in .vscode/mcp.json:\n\n" + serversJSON("servers", "stdio", c) }},
	{"codex", func(c []string) string {
		return "codex mcp add bfcl -- " + shellLine(c) + "\n\nor, in ~/.codex/config.toml:\n\n" +
			"[mcp_servers.bfcl]\ncommand = " + quoted(c[0]) + "\nargs = " + quoted(c[1:])
	}},
	{"inspector", func(c []string) string { return "npx @modelcontextprotocol/inspector " + shellLine(c) }},
	{"langgraph", func(c []string) string {
		return `# pip install "langchain[mcp]>=1.4.0"
from langchain.mcp import MCPAdapter

servers = {"mcpServers": {"bfcl": {
    "command": ` + quoted(c[0]) + `,
    "args": ` + quoted(c[1:]) + `,
}}}
async with MCPAdapter(servers) as adapter:
    tools = await adapter.list_tools()`
	}},
	{"langgraph-js", func(c []string) string {
		return `// npm install @langchain/mcp-adapters
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

const client = new MultiServerMCPClient({ bfcl: {
  transport: 'stdio', command: ` + quoted(c[0]) + `,
  args: ` + quoted(c[1:]) + `,
} });
const tools = await client.getTools();`
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

// A clientServer is a server that a client starts, as most clients write it.
type clientServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func serversJSON(key, kind string, command []string) string {
	server := clientServer{kind, command[0], command[1:]}
	var b strings.Builder
	_ = safe.EncodeJSON(&b, map[string]any{key: map[string]any{"bfcl": server}}, "  ")
	return strings.TrimSpace(b.String())
}

// quoted is a text, or a list of texts, as JSON, TOML, Python, JavaScript and
// Go have it.
func quoted(v any) string {
	var b strings.Builder
	_ = safe.EncodeJSON(&b, v, "")
	return strings.ReplaceAll(strings.TrimSpace(b.String()), `","`, `", "`)
}

// shellLine is a command for a shell.
func shellLine(command []string) string {
	out := make([]string, len(command))
	for i, word := range command {
		out[i] = shellWord(word)
	}
	return strings.Join(out, " ")
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
	if name := s.data.dataset; name != fixtures.Starter {
		if !fixtures.Fetched(name) {
			name = absolute(name)
		}
		out = append(out, "--dataset", name)
	}
	if s.data.data != "" {
		out = append(out, "--data", absolute(s.data.data))
	}
	return out
}

// absolute is a path that works in whatever folder a client starts servers.
func absolute(path string) string {
	if found, err := filepath.Abs(path); err == nil {
		return found
	}
	return path
}

// A readCloser and a writeCloser are streams that stay open after Close.
type (
	readCloser  struct{ io.Reader }
	writeCloser struct{ io.Writer }
)

// Close does nothing.
func (readCloser) Close() error { return nil }

// Close does nothing.
func (writeCloser) Close() error { return nil }

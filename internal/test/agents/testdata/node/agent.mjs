// An agent on OpenAI's Agents SDK, as a server: each conversation has an agent
// with an MCP server, and a model that says what a script holds.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { Agent, MCPServerStreamableHttp, Usage, run, setTracingDisabled } from '@openai/agents';

setTracingDisabled(true);

// Scripts are named by the address: /turn?script=file.
const scripts = new Map();

function scriptOf(address) {
  const name = new URL(address, 'http://localhost').searchParams.get('script');
  if (!scripts.has(name)) scripts.set(name, JSON.parse(readFileSync(name, 'utf8')));
  return scripts.get(name);
}

// A scripted model makes its calls one after the other, each once it has seen
// the result of the one before.
class Scripted {
  constructor() {
    this.calls = [];
    this.said = 0;
  }
  async getResponse({ input }) {
    const results = Array.isArray(input) ? input.filter((item) => item.type === 'function_call_result') : [];
    if (this.said > 0 && !results.some((item) => item.callId === this.id())) {
      throw new Error(`the result of ${this.id()} is missing`);
    }
    const usage = new Usage({ requests: 1, inputTokens: 10, outputTokens: 2, totalTokens: 12 });
    if (this.said === this.calls.length) {
      const content = [{ type: 'output_text', text: 'Done.' }];
      return { usage, output: [{ type: 'message', role: 'assistant', status: 'completed', content }] };
    }
    const { name, arguments: args } = this.calls[this.said++];
    return { usage, output: [{ type: 'function_call', callId: this.id(), name, status: 'completed', arguments: JSON.stringify(args) }] };
  }
  id() {
    return `call_${this.turn}_${this.said}`;
  }
  async *getStreamedResponse() {
    throw new Error('nobody asked for a stream');
  }
}

const open = new Map();

async function conversation(turn, script) {
  if (open.has(turn.history)) return open.get(turn.history);
  const plan = script[turn.text];
  if (!plan) throw new Error(`no script begins with ${turn.text}`);
  const tools = new MCPServerStreamableHttp({
    name: 'bfcl', url: turn.mcp.url, requestInit: { headers: turn.mcp.headers }, cacheToolsList: true,
  });
  await tools.connect();
  const model = new Scripted();
  const agent = new Agent({ name: 'agent', model, mcpServers: [tools] });
  const all = { plan, tools, model, agent, history: [] };
  open.set(turn.history, all);
  return all;
}

async function answer(turn, script) {
  const c = await conversation(turn, script);
  await c.tools.invalidateToolsCache(); // a turn may bring tools
  Object.assign(c.model, { calls: c.plan[turn.turn], said: 0, turn: turn.turn });
  const result = await run(c.agent, [...c.history, { role: 'user', content: turn.text }], { maxTurns: 500 });
  c.history = result.history;
  return { id: turn.id, text: result.finalOutput };
}

const server = createServer(async (request, response) => {
  if (request.method === 'DELETE') {
    const name = new URL(request.url, 'http://localhost').searchParams.get('history');
    await open.get(name)?.tools.close().catch(() => {});
    open.delete(name);
    response.end();
    return;
  }
  let body = '';
  for await (const part of request) body += part;
  let out;
  try {
    out = await answer(JSON.parse(body), scriptOf(request.url));
  } catch (error) {
    out = { error: String(error?.stack ?? error) };
  }
  response.end(JSON.stringify(out));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));

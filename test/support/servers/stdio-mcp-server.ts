import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The description of a tool of the server. */
export interface StdioMcpTool {
  readonly name: string;
  readonly description: string;
}

/**
 * A server over standard input and output that offers the tools in `tools.json` beside it, answers each call with its
 * argument `text`, prints its variable `KEY` on standard error, and starts the command in its last argument.
 */
export class StdioMcpServer {
  readonly script: string;

  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    this.script = path.join(folder, 'server.cjs');
    writeFileSync(this.script, SOURCE);
    this.offer({ name: 'echo', description: 'Says it again.' });
  }

  /** Takes effect from its next start. */
  offer(...tools: readonly StdioMcpTool[]): void {
    writeFileSync(path.join(this.folder, 'tools.json'), JSON.stringify(tools));
  }
}

const SOURCE = String.raw`
const { readFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const path = require('node:path');
const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const tools = JSON.parse(readFileSync(path.join(__dirname, 'tools.json'), 'utf8')).map((tool) => ({ ...tool, inputSchema }));
const command = process.argv[2];
if (command) spawn('sh', ['-c', command], { stdio: 'ignore', detached: true });
process.stderr.write('started with ' + process.env.KEY + '\n');
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'small', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text: 'You said: ' + text }] }),
  ping: () => ({}),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || !method) return;
  const answer = answers[method];
  const told = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Not known: ' + method } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...told }) + '\n');
});
`;

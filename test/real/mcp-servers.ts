import path from 'node:path';
import type { JsonObject } from '../../src/base/json';
import type { ConfiguredServer } from '../../src/mcp/definition';
import { McpHarness, programServer } from '../support/servers/mcp-harness';

/**
 * Starts real MCP servers, lists and calls them through Parley's own code, and prints a row of Markdown for each. Its
 * argument is a folder with the packages in `node_modules` and, for Python, in `py`.
 */
const [folder = '.'] = process.argv.slice(2);
const npm = (file: string): string => path.resolve(folder, 'node_modules', file);
const python = (name: string): string => path.resolve(folder, 'py/bin', name);

interface RealServer {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly call?: readonly [tool: string, args: JsonObject];
}

const servers: readonly RealServer[] = [
  {
    name: 'filesystem',
    command: ['node', npm('@modelcontextprotocol/server-filesystem/dist/index.js'), path.resolve(folder)],
    call: ['list_allowed_directories', {}],
  },
  {
    name: 'everything',
    command: ['node', npm('@modelcontextprotocol/server-everything/dist/index.js')],
    call: ['echo', { message: 'hello' }],
  },
  {
    name: 'memory',
    command: ['node', npm('@modelcontextprotocol/server-memory/dist/index.js')],
    call: ['read_graph', {}],
  },
  {
    name: 'sequential-thinking',
    command: ['node', npm('@modelcontextprotocol/server-sequential-thinking/dist/index.js')],
    call: [
      'sequentialthinking',
      { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    ],
  },
  { name: 'playwright', command: ['node', npm('@playwright/mcp/cli.js'), '--headless'] },
  {
    name: 'git',
    command: [python('mcp-server-git')],
    call: ['git_status', { repo_path: process.cwd() }],
  },
  { name: 'fetch', command: [python('mcp-server-fetch')] },
  {
    name: 'memory by npx',
    command: ['npx', '-y', '@modelcontextprotocol/server-memory'],
    call: ['read_graph', {}],
  },
];

/** The server is reached as an `sse` entry. */
function sseServer(name: string, url: string): ConfiguredServer {
  return { name, scope: 'user', definition: { type: 'http', url, headers: {}, mayBeSse: true } };
}

async function report(configured: ConfiguredServer, call: RealServer['call']): Promise<void> {
  const harness = await McpHarness.create();
  const began = performance.now();
  try {
    await harness.start(configured);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const server = harness.servers.get(configured.name);
    const { tools = [], prompts = [], resources = [], templates = [] } = server?.offer ?? {};
    const answer =
      call &&
      (await harness.call(
        harness.servers.tools().find(({ spec }) => spec.name.endsWith(call[0]))?.spec.name ?? call[0],
        call[1],
      ));
    const text = answer?.text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 60) ?? '';
    const left = [
      ...(server?.flaws ?? []),
      ...harness.servers.tools().flatMap(({ whyNotOffered = [] }) => whyNotOffered),
    ];
    const state = server?.state.type === 'failed' ? server.state.problem : server?.state.type;
    const counts = [tools, prompts, resources, templates].map(({ length }) => length);
    console.log(
      `| ${[configured.name, state, `${seconds} s`, ...counts, call ? `\`${call[0]}\`: ${text}` : '', left.join(' ')].join(' | ')} |`,
    );
  } catch (error) {
    console.log(`| ${configured.name} | ${String(error)} | ${harness.log.slice(-3).join(' ')} |`);
  } finally {
    await harness.dispose();
  }
}

async function main(): Promise<void> {
  const url = process.argv[3];
  if (url !== undefined) return report(sseServer('everything over SSE', url), ['echo', { message: 'hello' }]);
  for (const {
    name,
    command: [command, ...args],
    call,
  } of servers) {
    const [script = '', ...more] = args;
    const { definition, ...rest } = programServer(name, script, ...more);
    const environment = {
      npm_config_cache: path.resolve(folder, 'cache'),
      MEMORY_FILE_PATH: path.resolve(folder, 'memory.json'),
    };
    if (definition.type === 'stdio')
      await report({ ...rest, definition: { ...definition, command, args, env: environment } }, call);
  }
}

void main();

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Emitter } from '../../../src/base/disposable';
import type { JsonObject } from '../../../src/base/json';
import { limits } from '../../../src/base/limits';
import { ToolError, type Tool, type ToolOutput } from '../../../src/core/words/tool';
import { ApprovalFiles } from '../../../src/mcp/approval-files';
import type { ConfiguredServer, HttpDefinition, StdioDefinition } from '../../../src/mcp/definition';
import type { Form } from '../../../src/mcp/form';
import { ServerProblem, type FormAnswer, type McpSurroundings, type Root } from '../../../src/mcp/ports';
import { McpServers } from '../../../src/mcp/servers';
import { imageFile } from '../../../src/node/files/images';
import { findProgram, startServerProgram } from '../../../src/node/processes/start-program';
import { repository } from '../../hosts/repository';
import { prepareCall } from '../agent/prepare-call';
import { runContext } from '../agent/run-context';

/** MCP servers over real processes, real HTTP and approvals in a new folder, without asking the user. */
export class McpHarness {
  readonly servers: McpServers;
  readonly approvals: ApprovalFiles;
  readonly log: string[] = [];
  readonly survivors: number[] = [];
  /** The questions of servers for the user. */
  readonly forms: Form[] = [];
  /** The answer of the user. */
  answer: (form: Form, signal: AbortSignal) => Promise<FormAnswer> = () =>
    Promise.resolve({ action: 'decline' });
  roots: readonly Root[] = [];
  private readonly rootsChanged = new Emitter<void>();

  private constructor(
    readonly folder: string,
    changes: Partial<McpSurroundings>,
  ) {
    this.approvals = new ApprovalFiles(path.join(folder, 'approvals'));
    this.servers = new McpServers({
      limits,
      locate: locateProgram,
      resolve: ({ definition, folder: cwd = folder }, executable = '') =>
        Promise.resolve(definition.type === 'http' ? definition : { ...definition, cwd, executable }),
      startProgram: (program) => startServerProgram(program, []),
      fetch: globalThis.fetch,
      imageOf: (bytes) => imageFile(bytes)?.image,
      approvals: this.approvals,
      roots: () => this.roots,
      onRootsChange: this.rootsChanged.event,
      elicit: (_, form, signal) => {
        this.forms.push(form);
        return this.answer(form, signal);
      },
      signIn: () => ({
        provider: neverSignsIn,
        callback: () => Promise.reject(new ServerProblem('Nobody signs in.')),
      }),
      log: (server, text) => this.log.push(`${server}: ${text}`),
      onSurvivors: (_, pids) => this.survivors.push(...pids),
      ...changes,
    });
  }

  static async create(changes: Partial<McpSurroundings> = {}): Promise<McpHarness> {
    return new McpHarness(await realpath(await mkdtemp(path.join(tmpdir(), 'parley-mcp-'))), changes);
  }

  /** Configures only these servers, approves each, and starts them. */
  async start(...configured: readonly ConfiguredServer[]): Promise<void> {
    this.servers.update(configured);
    for (const server of this.servers.all) await this.approve(server.name);
  }

  async approve(name: string): Promise<void> {
    const server = this.servers.get(name);
    if (!server) throw new Error(`There is no server ${name}.`);
    await server.approve(await server.definitionToApprove());
  }

  tool(name: string): Tool {
    const found = this.servers.tools().find(({ spec }) => spec.name === name);
    if (!found)
      throw new Error(
        `There is no tool ${name} among ${this.servers
          .tools()
          .map(({ spec }) => spec.name)
          .join(', ')}.`,
      );
    return found;
  }

  async call(name: string, args: JsonObject, signal = new AbortController().signal): Promise<ToolOutput> {
    const prepared = await prepareCall(this.tool(name), args, signal);
    return prepared.run({ ...runContext(signal), onOutput: (text) => this.log.push(`output: ${text}`) });
  }

  /** Returns the text of the error; the call must fail. */
  async failure(name: string, args: JsonObject, signal?: AbortSignal): Promise<string> {
    try {
      const { text } = await this.call(name, args, signal);
      throw new Error(`${name} did not fail: ${text}`);
    } catch (error) {
      if (error instanceof ToolError) return error.message;
      throw error;
    }
  }

  changeRoots(roots: readonly Root[]): void {
    this.roots = roots;
    this.rootsChanged.fire();
  }

  async dispose(): Promise<void> {
    await this.servers.end();
    this.servers.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function locateProgram({ definition, folder = '/' }: ConfiguredServer): Promise<string | undefined> {
  if (definition.type === 'http') return undefined;
  const found = await findProgram(definition.command, { cwd: folder, roots: [] });
  if (found === undefined) throw new ServerProblem(`There is no program ${definition.command}.`);
  return found;
}

/** A server that runs in this version of Node. */
export function programServer(name: string, script: string, ...args: readonly string[]): ConfiguredServer {
  const definition: StdioDefinition = {
    type: 'stdio',
    command: process.execPath,
    args: [script, ...args],
    env: {},
  };
  return { name, definition, scope: 'user', folder: process.cwd() };
}

export function httpServer(name: string, url: string): ConfiguredServer {
  const definition: HttpDefinition = { type: 'http', url, headers: {} };
  return { name, definition, scope: 'user' };
}

/** The official server for testing clients. */
export const EVERYTHING_SERVER = path.join(
  repository,
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
export const FILESYSTEM_SERVER = path.join(
  repository,
  'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);
export const HOSTILE_SERVER = path.join(repository, 'test/fixtures/mcp/hostile-server.mjs');

const neverSignsIn = {
  redirectUrl: 'http://127.0.0.1/none',
  clientMetadata: { redirect_uris: ['http://127.0.0.1/none'] },
  clientInformation: () => undefined,
  tokens: () => undefined,
  saveTokens: () => undefined,
  redirectToAuthorization: () => undefined,
  saveCodeVerifier: () => undefined,
  codeVerifier: () => '',
};

import type { JsonObject } from '../../../src/base/json';
import type { ConfiguredServer } from '../../../src/mcp/definition';
import type { McpSurroundings } from '../../../src/mcp/ports';
import { limits } from '../../../src/base/limits';
import type { AuthorizationServer } from './authorization-server';
import { JsonServer, type JsonAnswer, type JsonRequest } from './json-server';

interface Question {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: JsonObject;
}

/** Answers a method: returns a result, or throws an error. */
export type McpAnswers = Readonly<Record<string, (params: JsonObject) => unknown>>;

/**
 * An MCP server over HTTP with the answers of a test. If there is an authorization server, it requires one of its
 * keys.
 */
export class FakeMcpServer {
  private constructor(
    readonly http: JsonServer,
    private readonly answers: McpAnswers,
    private readonly keys: AuthorizationServer | undefined,
  ) {}

  static async start(answers: McpAnswers = {}, keys?: AuthorizationServer): Promise<FakeMcpServer> {
    const http: JsonServer = new JsonServer((question) => server.answer(question));
    const server: FakeMcpServer = new FakeMcpServer(http, answers, keys);
    await http.listen();
    return server;
  }

  get url(): string {
    return `${this.http.origin}/mcp`;
  }

  configured(headers: Readonly<Record<string, string>> = {}, name = 'remote'): ConfiguredServer {
    return { name, scope: 'user', definition: { type: 'http', url: this.url, headers } };
  }

  private answer({ method, url, headers, body }: JsonRequest): JsonAnswer {
    const { keys } = this;
    const metadata = `${this.http.origin}/.well-known/oauth-protected-resource/mcp`;
    if (keys && url.href === metadata) {
      return { status: 200, json: { resource: this.url, authorization_servers: [keys.issuer] } };
    }
    if (url.pathname !== '/mcp') return { status: 404, json: {} };
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    if (keys?.accessTokens.has(key) === false) {
      const challenge = `Bearer resource_metadata="${metadata}"`;
      return { status: 401, headers: { 'www-authenticate': challenge }, json: {} };
    }
    // It sends no messages of its own.
    if (method !== 'POST') return { status: 405, json: {} };
    // SAFETY: a client sends this.
    const question = JSON.parse(body) as Question;
    if (question.id === undefined) return { status: 202 };
    return { status: 200, json: { jsonrpc: '2.0', id: question.id, ...this.result(question) } };
  }

  private result({ method, params = {} }: Question): object {
    if (method === 'initialize') {
      const has = (kind: string): object =>
        Object.keys(this.answers).some((each) => each.startsWith(kind)) ? { [kind]: {} } : {};
      const capabilities = { ...has('tools'), ...has('prompts'), ...has('resources') };
      const serverInfo = { name: 'remote', version: '1' };
      return { result: { protocolVersion: params['protocolVersion'], capabilities, serverInfo } };
    }
    const answer = this.answers[method];
    if (!answer) return { error: { code: -32_601, message: 'Method not found' } };
    try {
      return { result: answer(params) };
    } catch (error) {
      return { error: { code: -32_603, message: error instanceof Error ? error.message : '' } };
    }
  }
}

/** Surroundings in which every server is approved. */
export function approvedSurroundings(more: Partial<McpSurroundings> = {}): McpSurroundings {
  const refuse = (): never => {
    throw new Error('This must not be requested.');
  };
  return {
    limits,
    locate: () => Promise.resolve(undefined),
    // SAFETY: only servers over HTTP are started with these.
    resolve: ({ definition }) => Promise.resolve(definition as never),
    startProgram: refuse,
    fetch,
    imageOf: () => undefined,
    approvals: {
      of: () => Promise.resolve('approved'),
      approve: refuse,
      pins: () => Promise.resolve(undefined),
      pin: () => Promise.resolve(),
      isAllowed: () => false,
      allow: refuse,
    },
    roots: () => [],
    onRootsChange: () => ({ dispose: () => undefined }),
    elicit: refuse,
    // SAFETY: without a sign-in only the key of the provider is used.
    signIn: () => ({
      provider: { tokens: () => undefined, clientInformation: () => undefined } as never,
      callback: refuse,
    }),
    log: () => undefined,
    onSurvivors: refuse,
    ...more,
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelDelta } from '../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import { isProbe } from './form-probe';
import { answerFrom, type RecordedAnswers } from './recorded-answers';
import { letTimePass } from '../turns';

/** The received body, as JSON. */
export interface EndpointRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

/** `promptTokens` is the number of tokens of the request. */
export type EndpointReply = (response: ServerResponse, promptTokens: number) => Promise<void> | void;

/**
 * A real HTTP endpoint of the Chat Completions API on this machine. It streams the answers that a test has queued
 * in small pieces, and records its requests. It ends with the process at the latest.
 */
export class FakeEndpoint {
  readonly requests: EndpointRequest[] = [];
  /** Its answers to questions about itself; everything else is not found. */
  metadata: RecordedAnswers = {};
  /** The questions about itself, as method and path. */
  readonly metadataRequests: string[] = [];
  /** If set, requests without it get a 401. */
  key: string | undefined;
  /** Reported instead of the tokens of the request. */
  promptTokens: number | undefined;
  private readonly queue: EndpointReply[] = [];
  /**
   * Answers the short request that probes whether replies can be forced into a form; by default it fails
   * inconclusively. Such requests are not part of the conversation and not recorded.
   */
  answerProbe: (request: EndpointRequest) => EndpointReply = outOfOrder;
  private answers: ((request: EndpointRequest) => EndpointReply) | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeEndpoint> {
    const server = createServer((request, response) => void endpoint.answer(request, response));
    const endpoint = new FakeEndpoint(server);
    server.unref();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  get baseUrl(): string {
    // SAFETY: a listening TCP server has an address with a port.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Queues answers for the next requests, in order; after them the endpoint says "All done." */
  next(...replies: EndpointReply[]): void {
    this.queue.push(...replies);
  }

  /** Answers every request with the result of this function, unless an answer is queued. */
  always(answers: (request: EndpointRequest) => EndpointReply): void {
    this.answers = answers;
  }

  /** Clears queued answers and recorded requests. */
  reset(): void {
    this.queue.length = 0;
    this.answers = undefined;
    this.requests.length = 0;
    this.metadataRequests.length = 0;
    this.metadata = {};
    this.answerProbe = outOfOrder;
    this.promptTokens = undefined;
    this.key = undefined;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (this.key !== undefined && request.headers.authorization !== `Bearer ${this.key}`) {
      this.metadataRequests.push(`401 ${request.url}`);
      return answerWith(401, 'application/json', '{"error":{"message":"no such key"}}')(response, 0);
    }
    if (request.method !== 'POST' || !/\/chat\/completions(?:\?|$)/.test(request.url ?? '')) {
      this.metadataRequests.push(`${request.method} ${request.url}`);
      const { method = '', url = '', headers } = request;
      const question = { method, url: new URL(url, this.baseUrl), headers, body: '' };
      const { status, json } = answerFrom(this.metadata)(question);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
      return;
    }
    const body = JSON.parse(Buffer.concat(pieces).toString() || '{}') as EndpointRequest['body'];
    const received = { url: request.url ?? '', headers: request.headers, body };
    if (isProbe(received)) return this.answerProbe(received)(response, 0);
    this.requests.push(received);
    const reply = this.queue.shift() ?? this.answers?.(received) ?? streamText('All done.');
    await reply(
      response,
      this.promptTokens ?? Math.ceil(JSON.stringify([body.messages, body.tools]).length / 4),
    );
  }
}

function outOfOrder(): EndpointReply {
  return answerWith(500, 'application/json', '{"error":{"message":"out of order"}}');
}

/** Characters per piece. */
const PIECE = 7;

/** Streams a reply in the form of the protocol, in pieces of a few characters. */
export function streamParts(
  protocol: Protocol,
  parts: readonly RenderedPart[],
  piece = PIECE,
): EndpointReply {
  const reason =
    protocol.id === 'native' && parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop';
  return (response, tokens) =>
    streamChunks(response, tokens, [
      ...protocol.renderReply(parts).flatMap((delta) => chunks(delta, piece)),
      finish(reason),
    ]);
}

export function streamText(text: string): EndpointReply {
  return (response, tokens) =>
    streamChunks(response, tokens, [...chunks({ type: 'text', text }), finish('stop')]);
}

/** Streams reasoning in a separate field, and an answer if there is one. */
export function streamReasoning(thoughts: string, answer?: string): EndpointReply {
  return (response, tokens) =>
    streamChunks(response, tokens, [
      ...chunks({ type: 'reasoning', text: thoughts }),
      ...(answer === undefined ? [] : chunks({ type: 'text', text: answer })),
      finish('stop'),
    ]);
}

/** Streams endless text, until the client disconnects. */
export function streamForever(
  text: string | (() => string),
  onClose: () => void = () => undefined,
): EndpointReply {
  return async (response) => {
    response.on('close', onClose);
    begin(response);
    while (!response.closed) {
      const content = typeof text === 'string' ? text : text();
      response.write(event({ choices: [{ index: 0, delta: { content } }] }));
      await letTimePass(20);
    }
  };
}

/** Starts a reply and drops the connection in the middle. */
export function breakOff(protocol: Protocol, parts: readonly RenderedPart[]): EndpointReply {
  return (response) => {
    begin(response);
    for (const chunk of protocol.renderReply(parts).flatMap((delta) => chunks(delta)))
      response.write(event(chunk));
    response.write('\n', () => response.destroy());
  };
}

/** Closes the connection properly, without a finish reason and without `[DONE]`. */
export function endEarly(protocol: Protocol, parts: readonly RenderedPart[]): EndpointReply {
  return (response) => {
    begin(response);
    for (const chunk of protocol.renderReply(parts).flatMap((delta) => chunks(delta)))
      response.write(event(chunk));
    response.end();
  };
}

export function answerWith(status: number, contentType: string, body: string): EndpointReply {
  return (response) => {
    response.writeHead(status, { 'content-type': contentType });
    response.end(body);
  };
}

async function streamChunks(response: ServerResponse, tokens: number, all: readonly object[]): Promise<void> {
  begin(response);
  for (const [index, chunk] of all.entries()) {
    response.write(event(chunk));
    // Makes some pieces arrive separately without making a long reply slow.
    if (index % 20 === 0) await letTimePass(2);
  }
  response.write(event({ choices: [], usage: { prompt_tokens: tokens, completion_tokens: 34 } }));
  response.end('data: [DONE]\n\n');
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function chunks(delta: ModelDelta, piece = PIECE): object[] {
  if (delta.type === 'text') {
    return cut(delta.text, piece).map((content) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    }));
  }
  if (delta.type === 'reasoning') {
    return cut(delta.text, piece).map((text) => ({
      choices: [{ index: 0, delta: { reasoning_content: text }, finish_reason: null }],
    }));
  }
  if (delta.type !== 'tool-call') return [];
  const { index = 0, id, name, arguments: args = '' } = delta;
  const head = { index, id, type: 'function', function: { name, arguments: '' } };
  const calls = [head, ...cut(args, piece).map((text) => ({ index, function: { arguments: text } }))];
  return calls.map((call) => ({
    choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }],
  }));
}

function finish(reason: string): object {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

function cut(text: string, size: number): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; at += size) all.push(text.slice(at, at + size));
  return all;
}

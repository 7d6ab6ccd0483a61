// Parsers on npm for the same work, each used as its documentation shows.
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from '@ai-sdk-tool/parser';
import { JSONParser } from '@streamparser/json';
import { parse as parsePartial } from 'partial-json';
import { NAME } from './call-stream';

/** Reads the pieces, and stops when `isLate` returns true. */
type Read = (pieces: readonly string[], isLate: () => boolean) => Promise<void> | void;

interface Published {
  readonly name: string;
  /** Our protocol that reads the same text. */
  readonly protocol: string;
  readonly read: Read;
  /** A different text, if its form differs. */
  readonly text?: (size: number) => string;
}

const PARAMETERS = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
} as const;

type Factory = typeof hermesProtocol | typeof morphXmlProtocol | typeof qwen3CoderProtocol;

/** The middleware's parsers are streams. */
function aiSdk(factory: Factory): Read {
  return async (pieces, isLate) => {
    const tools = [{ type: 'function' as const, name: NAME, inputSchema: PARAMETERS }];
    const stream = factory().createStreamParser({ tools });
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    let calls = 0;
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        if (next.value.type === 'tool-call') calls++;
      }
    })();
    let isCut = false;
    for (let at = 0; at < pieces.length && !isCut; at++) {
      await writer.write({ type: 'text-delta', id: '1', delta: pieces[at] ?? '' });
      isCut = at % 64 === 0 && isLate();
    }
    if (isCut) {
      await Promise.allSettled([writer.abort(), reading]);
      return;
    }
    await writer.close();
    await reading;
    if (calls !== 1) throw new Error(`Expected one call, read ${calls}.`);
  };
}

const streamParser: Read = (pieces, isLate) => {
  let found: unknown;
  const parser = new JSONParser({ paths: ['$'] });
  parser.onValue = ({ value }) => (found = value);
  for (const [at, piece] of pieces.entries()) {
    parser.write(piece);
    if (at % 64 === 0 && isLate()) return;
  }
  if (found === undefined) throw new Error('Expected a value.');
};

/** As agents show arguments while they stream: parses everything received so far again. */
const partialJson: Read = (pieces, isLate) => {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (/\S/.test(text)) parsePartial(text);
    if (isLate()) return;
  }
};

export const publishedParsers: readonly Published[] = [
  { name: '@streamparser/json', protocol: 'native', read: streamParser },
  { name: 'partial-json', protocol: 'native', read: partialJson },
  { name: '@streamparser/json', protocol: 'json', read: streamParser },
  { name: '@streamparser/json', protocol: 'envelope', read: streamParser },
  { name: '@ai-sdk-tool/parser hermes', protocol: 'hermes', read: aiSdk(hermesProtocol) },
  { name: '@ai-sdk-tool/parser qwen3coder', protocol: 'qwen3-coder', read: aiSdk(qwen3CoderProtocol) },
  { name: '@ai-sdk-tool/parser xml', protocol: 'invoke', read: aiSdk(morphXmlProtocol), text: morphXml },
];

/** Its calls are `<tool><argument>text</argument></tool>` with XML-escaped text. */
function morphXml(size: number): string {
  const line = 'const greeting = "hello"; // a line of code, with &lt;b&gt;tags&lt;/b&gt; &amp; quotes\n';
  const content = line.repeat(Math.ceil(size / line.length)).slice(0, size);
  return `<${NAME}><path>a.ts</path><content>${content}</content></${NAME}>`;
}

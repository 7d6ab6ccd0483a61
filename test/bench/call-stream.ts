// A write_file call as a model streams it in a protocol, and the least work that any reader must do.
import { CallIds } from '../../src/core/reply/call-ids';
import type { ModelDelta } from '../../src/core/words/model';
import type { Protocol, ReplyParser } from '../../src/core/words/protocol';

/** A line of code with characters that JSON escapes and that markup parsers may misread. */
const LINE = 'const greeting = "hello"; // a line of code, with <b>tags</b> & quotes\n';

export const NAME = 'write_file';

/** The text that streams in: the whole reply, or the arguments of a native call. */
export function callText(protocol: Protocol, size: number): string {
  // Numbered, because a value that only repeats itself is taken for a loop.
  const lines = Array.from({ length: Math.ceil(size / LINE.length) }, (_, at) => `${at} ${LINE}`);
  const content = lines.join('').slice(0, size);
  const call = { id: 'c1', name: NAME, arguments: { path: 'a.ts', content } };
  return protocol
    .renderReply([{ type: 'call', call }])
    .map((delta) => (delta.type === 'text' ? delta.text : delta.type === 'tool-call' ? delta.arguments : ''))
    .join('');
}

/** Cuts a text into separate strings, like those from the network; slices would all refer to the whole text. */
export function* cut(text: Buffer, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += 2 * size) yield text.toString('utf16le', at, at + 2 * size);
}

export function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

/** Starts reading a call; native calls have a name before their arguments. */
export function open(protocol: Protocol): ReplyParser {
  const parser = protocol.createParser({ ids: new CallIds() });
  if (protocol.id === 'native') parser.push({ type: 'tool-call', index: 0, id: 'c1', name: NAME });
  return parser;
}

export function toDelta(protocol: Protocol): (text: string) => ModelDelta {
  if (protocol.id !== 'native') return (text) => ({ type: 'text', text });
  return (text) => ({ type: 'tool-call', index: 0, arguments: text });
}

/** Reads a whole reply and checks that it held one call. */
export function parse(protocol: Protocol, pieces: readonly string[]): void {
  const parser = open(protocol);
  const delta = toDelta(protocol);
  let calls = 0;
  const count = (events: ReturnType<ReplyParser['push']>): void => {
    for (const event of events) {
      if (event.type !== 'call-end') continue;
      calls++;
      // Using a text makes the engine join its pieces; that is part of the cost of reading it.
      const { content } = event.call.arguments;
      if (typeof content !== 'string' || content.charCodeAt(content.length >> 1) === 0)
        throw new Error('No text.');
    }
  };
  for (const piece of pieces) count(parser.push(delta(piece)));
  count(parser.end('stop'));
  if (calls !== 1) throw new Error(`Expected one call, read ${calls}.`);
}

/** Text: looks for one marker in every piece. Native: joins the pieces and parses the JSON. */
export function floor(protocol: Protocol, pieces: readonly string[]): void {
  if (protocol.id === 'native') {
    JSON.parse(pieces.join(''));
    return;
  }
  const kept: string[] = [];
  let held = '';
  for (const piece of pieces) {
    const seen = held + piece;
    if (seen.indexOf(MARKER) > 0) held = '';
    held = seen.slice(1 - MARKER.length);
    kept.push(piece);
  }
  kept.join('');
}

const MARKER = '<<<[END';

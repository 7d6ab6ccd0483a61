import assert from 'node:assert/strict';
import { CallIds } from '../../../../src/core/reply/call-ids';
import { parseReply } from '../../../../src/core/reply/parse-reply';
import { ReplyReader, type ReplyReaderOptions } from '../../../../src/core/reply/reply-reader';
import type { ModelDelta } from '../../../../src/core/words/model';
import { findProtocol } from '../../../../src/protocols';
import { native } from '../../../../src/protocols/native/native';

const json = findProtocol('json')!;
const CALL = '{"tool_calls":[{"name":"read_file","arguments":{"path":"a"}}]}';
const metadata = { origin: 'http://127.0.0.1', model: 'm', fields: { reasoning_content: 'Hm.' } };
const usage = { inputTokens: 10, outputTokens: 3 };

function read(
  deltas: readonly ModelDelta[],
  { protocol = json, ...options }: Partial<ReplyReaderOptions> & { readonly protocol?: typeof json } = {},
): ReplyReader {
  const reader = new ReplyReader(protocol, { ids: new CallIds(), ...options });
  for (const delta of deltas) reader.push(delta);
  reader.end();
  return reader;
}

/** Each character alone. */
function split(text: string): ModelDelta[] {
  return text.split('').map((each) => ({ type: 'text', text: each }));
}

describe('a reader of replies', () => {
  it('holds everything that came with a reply', () => {
    const reader = read([
      { type: 'reasoning', text: 'Hm.' },
      ...split('So.'),
      { type: 'carried', carried: metadata },
      { type: 'usage', usage },
      { type: 'end', reason: 'length' },
    ]);
    assert.deepEqual(reader.parts, [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'So.' },
    ]);
    const { text, raw, characters, reason } = reader;
    assert.deepEqual(
      { text, raw, characters, reason, usage: reader.usage, metadata: reader.metadata },
      { text: 'So.', raw: 'So.', characters: 6, reason: 'length', usage, metadata },
    );
  });

  it('reads a live reply like a recorded one', () => {
    const deltas = [...split(`I look.\n${CALL}`), { type: 'end', reason: 'stop' } as const];
    const { parts, raw, requests } = read(deltas);
    assert.deepEqual({ parts, raw }, parseReply(json, deltas, {}));
    assert.deepEqual(
      requests.map((request) => request.type === 'call' && request.call.name),
      ['read_file'],
    );
  });

  it('counts arguments of native calls as written, and has no reason for a reply that was cut', () => {
    const call: ModelDelta = { type: 'tool-call', index: 0, id: 'k', name: 'read_file', arguments: '{"pa' };
    const { raw, characters, reason, requests } = read([call], { protocol: native });
    assert.deepEqual({ raw, characters, reason }, { raw: '{"pa', characters: 4, reason: undefined });
    assert.deepEqual(
      requests.map(({ type }) => type),
      ['malformed'],
    );
  });

  it('marks the calls whose text is an echo', () => {
    const asked: string[] = [];
    const isEcho = (written: string): boolean => asked.push(written) > 0;
    const [part] = read([...split(CALL), { type: 'end', reason: 'stop' }], { isEcho }).parts;
    assert.equal(part?.type === 'call' && part.call.mark, 'echoed');
    assert.match(asked.join('\n'), /^\{.*read_file.*\}$/);
  });

  it('keeps the form that a revoked call showed, and no call that was reasoning', () => {
    const hermes = '<tool_call>\n{"name":"read_file","arguments":{"path":"a"}}\n</tool_call>';
    const tools = [{ name: 'read_file', description: '', parameters: { type: 'object' } }];
    const reader = read(split(`${hermes}</think>Done.`), { tools, recover: true });
    assert.deepEqual([reader.text, reader.requests.length], ['Done.', 0]);
    assert.notEqual(reader.otherForm, undefined);
  });

  it('measures from its beginning to the first piece and to the end', () => {
    let now = 0;
    const reader = new ReplyReader(json, { ids: new CallIds(), now: () => now });
    now = 5;
    reader.push({ type: 'progress', stage: 'taken' });
    assert.equal('firstMs' in reader.timing, false);
    now = 20;
    reader.push({ type: 'reasoning', text: 'Hm.' });
    now = 70;
    reader.push({ type: 'end', reason: 'stop' });
    reader.end();
    now = 90;
    assert.deepEqual(reader.timing, { firstMs: 20, totalMs: 70 });
  });
});

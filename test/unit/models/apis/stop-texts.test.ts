import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelDelta, ModelRequest } from '../../../../src/core/words/model';
import { cutAtStopTexts } from '../../../../src/models/apis/stop-texts';
import { native } from '../../../../src/protocols/native/native';

interface Reply {
  readonly deltas: readonly ModelDelta[];
  readonly stop?: readonly string[];
  readonly isNeeded?: boolean;
}

async function cut({ deltas, stop = [], isNeeded = true }: Reply): Promise<readonly ModelDelta[]> {
  const model = {
    name: 'test',
    async *stream() {
      yield* deltas;
    },
  };
  const turns = [{ type: 'user', text: 'Go.' }] as const;
  const request: ModelRequest = { ...native.request({ instructions: '', turns, tools: [] }), stop };
  const all: ModelDelta[] = [];
  for await (const delta of cutAtStopTexts(() => isNeeded)(model).stream(
    request,
    new AbortController().signal,
  ))
    all.push(delta);
  return all;
}

const text = (written: string): ModelDelta => ({ type: 'text', text: written });
const end: ModelDelta = { type: 'end', reason: 'stop' };
const call: ModelDelta = { type: 'tool-call', index: 0, id: 'c', name: 'look' };
const usage: ModelDelta = { type: 'usage', usage: { inputTokens: 1, outputTokens: 2 } };

describe('stop texts of an API without a field for them', () => {
  it('end the reply wherever the stream is cut', async () => {
    const piece = fc.constantFrom('a', 'b', '<', 'ab<', '<s>', 'ba');
    const stop = fc.array(fc.constantFrom('<s>', 'ab<', 'bb', ''), { maxLength: 3 });
    const property = fc.asyncProperty(fc.array(piece, { maxLength: 12 }), stop, async (pieces, stops) => {
      const whole = pieces.join('');
      const places = stops.filter((each) => each !== '').map((each) => whole.indexOf(each));
      const at = Math.min(whole.length, ...places.filter((place) => place >= 0));
      const said = await cut({ deltas: [...pieces.map(text), end], stop: stops });
      assert.equal(
        said.flatMap((delta) => (delta.type === 'text' ? [delta.text] : [])).join(''),
        whole.slice(0, at),
      );
      assert.deepEqual(said.at(-1), end);
      assert.ok(said.every((delta) => delta.type !== 'text' || delta.text !== ''));
    });
    await fc.assert(property);
  });

  it('do not hold back what follows in another form', async () => {
    const deltas = [text('a<'), call, usage, end];
    assert.deepEqual(await cut({ deltas, stop: ['<s>'] }), [text('a'), text('<'), call, usage, end]);
  });

  it('are left to an endpoint that takes them', async () => {
    const deltas = [text('a<s'), text('>b'), end];
    assert.deepEqual(await cut({ deltas, stop: ['<s>'], isNeeded: false }), deltas);
  });
});

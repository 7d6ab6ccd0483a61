import assert from 'node:assert/strict';
import type { ModelDelta, ModelRequest } from '../../../src/core/words/model';
import { bounded, boundedEvents, isTooDeep, TooLarge } from '../../../src/models/bounded';
import { native } from '../../../src/protocols/native/native';

const MIB = 1024 * 1024;
const request: ModelRequest = native.request({ instructions: '', turns: [], tools: [] });

/** The deltas that come through, as their types, and the failure if there is one. */
async function pass(all: Iterable<ModelDelta>): Promise<{ types: string[]; says: string }> {
  const model = {
    name: 'test',
    async *stream() {
      yield* all;
    },
  };
  const types: string[] = [];
  let says = '';
  for await (const delta of bounded(model).stream(request, new AbortController().signal)) {
    types.push(delta.type);
    if (delta.type === 'failure') says = delta.failure.message;
  }
  return { types, says };
}

function call(args: string, rest: object = { index: 0 }): ModelDelta {
  return { type: 'tool-call', arguments: args, ...rest };
}

describe('bounded', () => {
  it('G35.reply: ends a reply beyond 8 MiB, counted in bytes', async () => {
    const piece: ModelDelta = { type: 'text', text: 'ä'.repeat(MIB) };
    assert.deepEqual((await pass([piece, piece, piece, piece])).types, ['text', 'text', 'text', 'text']);
    const { types, says } = await pass([piece, piece, { ...piece, type: 'reasoning' }, piece, piece]);
    assert.deepEqual(types, ['text', 'text', 'reasoning', 'text', 'failure']);
    assert.match(says, /^The reply grew beyond 8 MiB, so it was broken off and nothing of it was run\./);
  });

  it('G35.arguments: ends the arguments of one call beyond 1 MiB, in however many pieces', async () => {
    const half = 'x'.repeat(MIB / 2);
    const fine = [call(half), call(half), call(half, { index: 1 }), call(half, {})];
    assert.deepEqual(
      (await pass(fine)).types,
      fine.map(({ type }) => type),
    );
    const { types, says } = await pass([...fine, call('x', {})]);
    assert.equal(types.at(-1), 'failure');
    assert.match(says, /arguments of a call grew beyond 1 MiB/);
  });

  it('G35.deep: ends arguments beyond 32 levels, wherever they are cut', async () => {
    const deep = (levels: number) => '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2);
    assert.equal((await pass(Array.from(deep(32), (text) => call(text)))).types.at(-1), 'tool-call');
    const { types, says } = await pass(Array.from(deep(34), (text) => call(text)));
    assert.equal(types.at(-1), 'failure');
    assert.match(says, /more than 32 levels deep/);
  });

  it('G35.deep: counts no brackets inside of strings', async () => {
    const args = `{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}\\\\","b":[]}`;
    assert.equal((await pass(Array.from(args, (text) => call(text)))).types.at(-1), 'tool-call');
  });

  it('G35.deep: measures values of any depth', () => {
    const nest = (levels: number): unknown => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
      return value;
    };
    assert.equal(isTooDeep('['.repeat(99)), false);
    assert.equal(isTooDeep(nest(32)), false);
    assert.equal(isTooDeep(nest(33)), true);
    assert.equal(isTooDeep(nest(100_000)), true);
  });
});

describe('bounded body', () => {
  /** How many bytes come through when the stream is cut into pieces of this size. */
  async function flow(text: string, size: number): Promise<number | 'too large'> {
    const bytes = new TextEncoder().encode(text);
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    let passed = 0;
    try {
      for await (const piece of source.pipeThrough(boundedEvents())) passed += piece.length;
    } catch (error) {
      assert.ok(error instanceof TooLarge);
      return 'too large';
    }
    return passed;
  }

  const line = `data: ${'x'.repeat(MIB - 6)}`;
  for (const size of [999, 65_536, 64 * MIB]) {
    it(`G35.event: ends an event beyond 4 MiB in pieces of ${size} bytes`, async () => {
      const fine = `${line}\n${line}\n${line}\n\n`.repeat(3);
      assert.equal(await flow(fine, size), fine.length);
      assert.equal(await flow(fine.replaceAll('\n', '\r\n'), size), fine.length + 12);
      assert.equal(await flow(`${line}\n`.repeat(5), size), 'too large');
      assert.equal(await flow(`${line}\r\n`.repeat(5), size), 'too large');
      assert.equal(await flow('x'.repeat(4 * MIB + 1), size), 'too large');
    });
  }
});

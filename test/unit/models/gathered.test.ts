import assert from 'node:assert/strict';
import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Model, ModelDelta, ModelRequest } from '../../../src/core/words/model';
import { gathered } from '../../../src/models/gathered';
import { native } from '../../../src/protocols/native/native';

const request: ModelRequest = native.request({ instructions: '', turns: [], tools: [] });

/** Yields texts; for an empty one, lets a turn of the event loop pass. */
type Step = ModelDelta | undefined;

function modelOf(steps: readonly Step[], said: ModelDelta[] = []): Model {
  return {
    name: 'test',
    async *stream() {
      for (const step of steps) {
        if (step === undefined) await nextTurn();
        else {
          said.push(step);
          yield step;
        }
      }
    },
  };
}

async function heard(model: Model): Promise<ModelDelta[]> {
  const all: ModelDelta[] = [];
  for await (const delta of gathered(model).stream(request, new AbortController().signal)) all.push(delta);
  return all;
}

function text(said: string): ModelDelta {
  return { type: 'text', text: said };
}

/** Character by character, so that grouping does not matter. */
function pieces(deltas: readonly ModelDelta[]): ModelDelta[] {
  return deltas.flatMap((delta): readonly ModelDelta[] => {
    if (delta.type !== 'text' && delta.type !== 'reasoning') return [delta];
    return Array.from(delta.text, (each) => ({ ...delta, text: each }));
  });
}

describe('gathered', () => {
  it('joins texts that arrive together, and no others', async () => {
    const reasoning: ModelDelta = { type: 'reasoning', text: 'b' };
    const end: ModelDelta = { type: 'end', reason: 'stop' };
    const steps = [text('a'), text('a'), reasoning, reasoning, text('c'), undefined, text('d'), end];
    assert.deepEqual(await heard(modelOf(steps)), [
      text('aa'),
      { type: 'reasoning', text: 'bb' },
      text('c'),
      text('d'),
      end,
    ]);
  });

  it('passes everything on, in its order', async () => {
    const delta = fc.oneof(
      fc.string({ minLength: 1, maxLength: 3 }).map(text),
      fc
        .string({ minLength: 1, maxLength: 3 })
        .map((said): ModelDelta => ({ type: 'reasoning', text: said })),
      fc.constant<ModelDelta>({ type: 'tool-call', index: 0, arguments: '{' }),
      fc.constant<ModelDelta>({ type: 'end', reason: 'stop' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(delta, { nil: undefined })), async (steps) => {
        const all = steps.filter((step) => step !== undefined);
        assert.deepEqual(pieces(await heard(modelOf(steps))), pieces(all));
      }),
    );
  });

  it('reads only a little ahead of a slow reader', async () => {
    const said: ModelDelta[] = [];
    const steps = Array.from({ length: 1000 }, () => text('x'.repeat(1024)));
    const stream = gathered(modelOf(steps, said)).stream(request, new AbortController().signal);
    let characters = 0;
    for await (const delta of stream) {
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      if (delta.type === 'text') characters += delta.text.length;
      assert.ok(said.length * 1024 - characters <= 66 * 1024, `${said.length} ${characters}`);
    }
    assert.equal(characters, 1000 * 1024);
  });

  it('ends the request when it is left', async () => {
    let isEnded = false;
    const model: Model = {
      name: 'test',
      async *stream(_, signal) {
        yield text('a');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isEnded = true;
      },
    };
    for await (const delta of gathered(model).stream(request, new AbortController().signal)) {
      assert.deepEqual(delta, text('a'));
      break;
    }
    await nextTurn();
    assert.ok(isEnded);
  });

  it('ends with the error of the stream, after its content', async () => {
    const model: Model = {
      name: 'test',
      async *stream() {
        yield text('a');
        throw new Error('broken');
      },
    };
    const all: ModelDelta[] = [];
    await assert.rejects(async () => {
      for await (const delta of gathered(model).stream(request, new AbortController().signal))
        all.push(delta);
    }, /broken/);
    assert.deepEqual(all, [text('a')]);
  });
});

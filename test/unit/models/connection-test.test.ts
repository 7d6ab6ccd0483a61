import assert from 'node:assert/strict';
import type { ModelDelta, ModelRequest } from '../../../src/core/words/model';
import { testConnection, type ConnectionReport } from '../../../src/models/connection-test';
import { native } from '../../../src/protocols/native/native';

const request: ModelRequest = native.request({
  instructions: '',
  turns: [{ type: 'user', text: 'go' }],
  tools: [{ name: 'ping', description: '', parameters: { type: 'object' } }],
});
const text: ModelDelta = { type: 'text', text: 'OK' };
const end: ModelDelta = { type: 'end', reason: 'stop' };
const noTools: ModelDelta = { type: 'failure', failure: { code: 'no-tools', message: 'No tools.' } };
const refused: ModelDelta = { type: 'failure', failure: { code: 'unauthorized', message: 'No key.' } };

describe('connection test', () => {
  /** The clock advances by a second with every read. */
  async function run(
    ...replies: Iterable<ModelDelta>[]
  ): Promise<{ report: ConnectionReport; tools: number[] }> {
    const tools: number[] = [];
    let time = 0;
    const model = {
      name: 'test',
      async *stream(asked: ModelRequest) {
        tools.push(asked.tools?.length ?? 0);
        yield* replies[tools.length - 1] ?? [];
      },
    };
    const clock = (): number => (time += 1_000);
    return { report: await testConnection(model, request, new AbortController().signal, clock), tools };
  }

  it('says how long the first piece took, and that tools were accepted', async () => {
    const { report, tools } = await run([text, text, end]);
    assert.deepEqual(report, { type: 'works', firstMs: 1_000, tools: 'accepted' });
    assert.deepEqual(tools, [1]);
  });

  it('says that a tool was called', async () => {
    const { report } = await run([{ type: 'tool-call', index: 0, name: 'ping' }, end]);
    assert.deepEqual(report, { type: 'works', firstMs: 1_000, tools: 'called' });
  });

  it('asks again without tools if they are refused', async () => {
    const { report, tools } = await run([noTools], [text, end]);
    assert.deepEqual(report, { type: 'works', firstMs: 1_000, tools: 'refused' });
    assert.deepEqual(tools, [1, 0]);
  });

  it('returns the failure unchanged, also of the second request', async () => {
    assert.deepEqual((await run([refused])).report, { type: 'failed', failure: refused.failure });
    assert.deepEqual((await run([noTools], [refused])).report, { type: 'failed', failure: refused.failure });
  });

  it('stops an endless reply', async () => {
    let pieces = 0;
    function* endless(): Generator<ModelDelta> {
      for (;;) {
        pieces++;
        yield text;
      }
    }
    assert.equal((await run(endless())).report.type, 'works');
    assert.equal(pieces, 200);
  });

  for (const [name, reply] of [
    ['is empty', []],
    ['breaks off', [text]],
  ] as const) {
    it(`fails if the reply ${name}`, async () => {
      const { report } = await run(reply);
      assert.equal(report.type === 'failed' && report.failure.code, 'cut-off');
    });
  }

  it('is not a failure if it was stopped', async () => {
    const stop = new AbortController();
    const model = {
      name: 'test',
      async *stream(): AsyncGenerator<ModelDelta> {
        stop.abort();
      },
    };
    assert.deepEqual(await testConnection(model, request, stop.signal), { type: 'stopped' });
  });
});

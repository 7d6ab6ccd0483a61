import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json';
import { executeGiven } from '../../../../src/core/run/execute';
import type { ApprovalRequest } from '../../../../src/core/words/approval';
import type { AgentEvent } from '../../../../src/core/words/events';
import { testTool } from '../../../support/agent/test-session';

/** The result of a call that no parser has read. */
async function call(
  input: JsonObject,
): Promise<{ status: string; result: string; asked: ApprovalRequest[]; events: AgentEvent[] }> {
  const asked: ApprovalRequest[] = [];
  const events: AgentEvent[] = [];
  const tool = testTool('write', 'write', async (text) => `wrote ${text}`);
  const { parameters } = tool.spec;
  const listing = {
    ...tool,
    spec: {
      ...tool.spec,
      parameters: { ...parameters, properties: { ...parameters.properties, list: { type: 'array' } } },
    },
  } as const;
  const options = {
    approve: async (request: ApprovalRequest) => {
      asked.push(request);
      return { type: 'run', by: 'policy', reason: '' } as const;
    },
    emit: (event: AgentEvent) => void events.push(event),
    delegate: () => Promise.reject(new Error('nothing is delegated')),
    caller: {},
    timeoutMs: 30_000,
  };
  const { status, result } = await executeGiven(
    { id: '1', arguments: input },
    listing,
    options,
    new AbortController().signal,
  );
  return { status, result, asked, events };
}

describe('a call that no parser has read', () => {
  it('is bound to its tool, and asked for as it will run', async () => {
    const { result, asked } = await call({ TEXT: 7 });
    assert.equal(result, 'wrote 7');
    assert.deepEqual(asked[0]?.call.arguments, { text: '7' });
    assert.equal(asked[0].call.mark, 'clean');
  });

  it('is marked if its arguments had to be repaired', async () => {
    const { asked } = await call({ text: 'a', list: '[1, 2,]' });
    assert.deepEqual(asked[0]?.call.arguments, { text: 'a', list: [1, 2] });
    assert.equal(asked[0].call.mark, 'repaired');
  });

  it('ends with the reason if it does not fit, without asking the user', async () => {
    const { status, result, asked, events } = await call({ txet: 'a' });
    assert.equal(status, 'error');
    assert.equal(result, 'There is no argument "txet". The arguments are: text, list.');
    assert.deepEqual(asked, []);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['tool-end'],
    );
  });
});

import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/reply/call-ids';
import { envelope } from '../../../src/protocols/envelope/envelope';
import { json } from '../../../src/protocols/json';
import { parseText } from '../../support/protocols/run-parser';

describe('JSON object protocols', () => {
  it('json splits a block of several calls after each of them', () => {
    const reply = 'x {"tool_calls":[{"name":"a","arguments":{}},{"name":"b","arguments":{}}]}';
    const spans = parseText(json, [reply]).calls.map(({ start, end }) => reply.slice(start, end));
    assert.deepEqual(spans, ['{"tool_calls":[{"name":"a","arguments":{}}', ',{"name":"b","arguments":{}}]}']);
  });

  it('json lets calls share their block that were written as text in it', () => {
    const calls = JSON.stringify([
      { name: 'a', arguments: {} },
      { name: 'b', arguments: {} },
    ]);
    const reply = `x ${JSON.stringify({ tool_calls: calls })}`;
    const spans = parseText(json, [reply]).calls.map(({ start, end }) => reply.slice(start, end));
    assert.deepEqual(spans, [reply.slice(2), reply.slice(2)]);
  });

  it('json ends a rejected block before the one that is read again', () => {
    const block = '{"tool_calls":[{"name":"a","arguments":{"path":"x}}]}';
    const reply = `${block}\n{"tool_calls":[{"name":"b","arguments":{}}]}`;
    const { calls, errors } = parseText(json, [reply]);
    assert.deepEqual(
      [...errors, ...calls].map(({ start, end }) => reply.slice(start, end)),
      [block, reply.slice(block.length + 1)],
    );
  });

  for (const protocol of [json, envelope]) {
    it(`${protocol.id} keeps the ids of the model if the model wrote them`, () => {
      const parser = protocol.createParser({ ids: new CallIds(['old']) });
      const items = ['k', 'k', 'old', 7].map((id) => ({ id, name: 'a', arguments: {} }));
      const wrapped = { id: 'w', type: 'function', function: { name: 'a', arguments: {} } };
      const reply = JSON.stringify({ action: 'tool_call', tool_calls: [...items, wrapped] });
      const events = [...parser.push({ type: 'text', text: reply }), ...parser.end('stop')];
      const ids = events.flatMap((event) => (event.type === 'call-end' ? [event.call.id] : []));
      assert.deepEqual(ids, ['k', 'c1', 'c2', 'c3', 'w']);
    });
  }
});

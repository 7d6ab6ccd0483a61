import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json';
import { plainRequest } from '../../../src/gateway/plain-request';
import { caseCount } from '../../hosts/random-cases';

const says =
  (role: string) =>
  (content: Json): JsonObject => ({ role, content });
const [s, d, u, a] = [says('system'), says('developer'), says('user'), says('assistant')];
const CONTINUE = u('Continue.');

const orders: readonly {
  readonly name: string;
  readonly messages: readonly JsonObject[];
  readonly expect: readonly JsonObject[];
}[] = [
  { name: 'joins system messages', messages: [s('A'), d('B'), u('x')], expect: [s('A\n\nB'), u('x')] },
  { name: 'calls a developer system', messages: [d('A'), u('x')], expect: [s('A'), u('x')] },
  {
    name: 'lets the user say later system messages',
    messages: [s('A'), u('x'), a('y'), s('B'), u('z')],
    expect: [s('A'), u('x'), a('y'), u('B\n\nz')],
  },
  {
    name: 'joins content in parts',
    messages: [u('x'), u([{ type: 'text', text: 'y' }]), a('z'), u('')],
    expect: [
      u([
        { type: 'text', text: 'x' },
        { type: 'text', text: 'y' },
      ]),
      a('z'),
      u(''),
    ],
  },
  { name: 'asks a reply to continue', messages: [u('x'), a('y')], expect: [u('x'), a('y'), CONTINUE] },
  { name: 'asks instructions to continue', messages: [s('A')], expect: [s('A'), CONTINUE] },
  {
    name: 'keeps messages with names apart',
    messages: [
      { ...u('x'), name: 'Ann' },
      { ...u('y'), name: 'Bob' },
    ],
    expect: [
      { ...u('x'), name: 'Ann' },
      { ...u('y'), name: 'Bob' },
    ],
  },
  {
    name: 'keeps a reply that is to be continued',
    messages: [u('x'), { ...a('y'), prefix: true }],
    expect: [u('x'), { ...a('y'), prefix: true }],
  },
];

describe('a request without tools', () => {
  for (const { name, messages, expect } of orders) {
    it(name, () => assert.deepEqual(plainRequest({ messages })['messages'], expect));
  }

  it('keeps a reply that vLLM is to continue', () => {
    const body = { messages: [u('x'), a('y')], continue_final_message: true };
    assert.deepEqual(plainRequest(body), body);
  });

  it('has no fields about tools', () => {
    const body = { messages: [u('x')], n: 2, unknown: [1] };
    for (const none of [[], null]) {
      const choice = { tool_choice: 'auto', parallel_tool_calls: true, function_call: 'none' };
      assert.deepEqual(plainRequest({ ...body, ...choice, tools: none, functions: none }), body);
    }
  });

  for (const messages of [7, 'x', ['x'], []] as const) {
    it(`leaves ${JSON.stringify(messages)} to the server`, () =>
      assert.deepEqual(plainRequest({ messages }), { messages }));
  }

  it('has an order that every template accepts, with all that was said', () => {
    const message = fc.record({
      role: fc.constantFrom('system', 'developer', 'user', 'assistant'),
      content: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), (messages) => {
        const body = plainRequest({ messages });
        const ordered = body['messages'] as unknown as readonly { role: string; content: string }[];
        const roles = ordered.map(({ role }) => role);
        assert.ok(!roles.slice(1).includes('system') && !roles.includes('developer'));
        assert.ok(roles.every((role, at) => role !== roles[at + 1]));
        assert.equal(roles.at(-1), 'user');
        const text = (list: readonly { content: string }[]): string =>
          list
            .map(({ content }) => content)
            .join('')
            .replaceAll(/\n\n|Continue\.$/g, '');
        assert.equal(text(ordered), text(messages));
        assert.deepEqual(plainRequest(body), body);
      }),
      { numRuns: caseCount(500) },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ProviderMetadata } from '../../../src/core/words/provider-metadata';
import { chunkDeltas } from '../../../src/models/chat-chunks';
import type { ReasoningRequirements } from '../../../src/models/fact-types';
import { echoFrom, requirementsAfter } from '../../../src/models/reasoning-requirements';
import { ReasoningCollector } from '../../../src/models/reasoning';

const endpoint = { baseUrl: 'https://api.example.com/v1', model: 'm' };

function carriedOf(...deltas: readonly object[]): ProviderMetadata | undefined {
  const thoughts = new ReasoningCollector();
  for (const delta of deltas) thoughts.add({ choices: [{ index: 0, delta }] });
  return thoughts.carried(endpoint);
}

function shownOf(...deltas: readonly object[]): string[] {
  return deltas
    .flatMap((delta) => chunkDeltas({ choices: [{ delta }] }))
    .flatMap((each) =>
      each.type === 'text' || each.type === 'reasoning' ? [`${each.type} ${each.text}`] : [],
    );
}

const rows: {
  readonly name: string;
  readonly deltas: readonly object[];
  readonly expect: Partial<ProviderMetadata> | undefined;
}[] = [
  { name: 'nothing where nothing came', deltas: [{ content: 'a' }, { tool_calls: [] }], expect: undefined },
  {
    name: 'one text if a server sends it under two names',
    deltas: [
      { reasoning: 'a', reasoning_content: 'a' },
      { reasoning: 'b', reasoning_content: 'b' },
    ],
    expect: { fields: { reasoning_content: 'ab' } },
  },
  {
    name: 'an empty text that was sent',
    deltas: [{ reasoning_content: '' }],
    expect: { fields: { reasoning_content: '' } },
  },
  {
    name: 'parts without places, as long as they go on',
    deltas: [
      { reasoning_details: [{ type: 'reasoning.summary', summary: 'a' }] },
      { reasoning_details: [{ type: 'reasoning.summary', summary: 'b' }] },
    ],
    expect: { fields: { reasoning_details: [{ type: 'reasoning.summary', summary: 'ab' }] } },
  },
  {
    name: 'encrypted parts each as it came',
    deltas: [
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'a', index: 0 }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'b', index: 0 }] },
    ],
    expect: {
      fields: {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'a', index: 0 },
          { type: 'reasoning.encrypted', data: 'b', index: 0 },
        ],
      },
    },
  },
  {
    name: 'text that is sent whole each time once',
    deltas: [
      { reasoning_details: [{ type: 'reasoning.text', text: 'The user wants a file.' }] },
      { reasoning_details: [{ type: 'reasoning.text', text: 'The user wants a file. Then' }] },
    ],
    expect: {
      fields: { reasoning_details: [{ type: 'reasoning.text', text: 'The user wants a file. Then' }] },
    },
  },
  {
    name: 'two blocks of Claude with a signature each, one of them hidden',
    deltas: [
      { thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: '' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 's1' }] },
      { thinking_blocks: [{ type: 'redacted_thinking', data: 'x' }] },
      { thinking_blocks: [{ type: 'thinking', thinking: 'b', signature: null }] },
      { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 's2' }] },
    ],
    expect: {
      fields: {
        thinking_blocks: [
          { type: 'thinking', thinking: 'a', signature: 's1' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'thinking', thinking: 'b', signature: 's2' },
        ],
      },
    },
  },
  {
    name: 'no block of Claude whose signature never came',
    deltas: [{ thinking_blocks: [{ type: 'thinking', thinking: 'a' }] }],
    expect: undefined,
  },
  {
    name: 'a signature of a call',
    deltas: [{ tool_calls: [{ extra_content: { google: {} } }] }],
    expect: {},
  },
  {
    name: 'a signature of an answer',
    deltas: [{ content: 'a', extra_content: { google: { thought_signature: 's' } } }],
    expect: { fields: { extra_content: { google: { thought_signature: 's' } } } },
  },
  {
    name: 'tags in the content',
    deltas: [{ content: '<think>a</th' }, { content: 'ink>\n\nb' }],
    expect: { lead: '<think>a</think>\n\n' },
  },
  { name: 'what the prompt has opened', deltas: [{ content: 'a</think>b' }], expect: { lead: 'a</think>' } },
  {
    name: 'no tag that the answer speaks of',
    deltas: [{ content: 'Close it with `</think>`.' }],
    expect: undefined,
  },
  { name: 'no tag in a fence', deltas: [{ content: '```\n</think>\n```' }], expect: undefined },
  {
    name: 'no leftover tag if the server separated the reasoning',
    deltas: [{ reasoning_content: 'a' }, { content: '</think>b' }],
    expect: { fields: { reasoning_content: 'a' } },
  },
];

describe('thoughts of a reply', () => {
  for (const { name, deltas, expect } of rows) {
    it(`are kept: ${name}`, () => {
      const where = { origin: 'https://api.example.com', model: 'm' };
      assert.deepEqual(carriedOf(...deltas), expect && { ...where, ...expect });
    });
  }

  it('are shown under whatever name they come', () => {
    const part = { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] };
    assert.deepEqual(
      shownOf({ reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a' }] }),
      ['reasoning a'],
    );
    assert.deepEqual(shownOf({ reasoning_details: [{ type: 'reasoning.text', text: 'a' }] }), [
      'reasoning a',
    ]);
    assert.deepEqual(shownOf({ thinking_blocks: [{ type: 'thinking', thinking: 'a' }] }), ['reasoning a']);
    assert.deepEqual(shownOf({ content: [part, { type: 'text', text: 'b' }] }), ['reasoning a', 'text b']);
  });

  it('may be anything, nested as deep as it likes', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    for (const name of ['reasoning_details', 'thinking_blocks', 'content'])
      assert.equal(carriedOf({ [name]: [{ type: 'thinking', thinking: deep, signature: 's' }] }), undefined);
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const thoughts = new ReasoningCollector();
        for (const value of values)
          for (const name of [
            'reasoning_content',
            'reasoning_details',
            'thinking_blocks',
            'content',
            'extra_content',
          ])
            thoughts.add({ choices: [{ delta: { [name]: value } }] });
        thoughts.carried(endpoint);
      }),
    );
  });

  it('are kept up to a limit', () => {
    const mebibyte = 'x'.repeat(1024 * 1024);
    assert.equal(carriedOf(...Array.from({ length: 6 }, () => ({ reasoning_content: mebibyte }))), undefined);
  });
});

describe('what an endpoint says of thoughts', () => {
  const said: [string, ReasoningRequirements | undefined][] = [
    [
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      { needsReasoning: true },
    ],
    [
      'Missing `reasoning_content` field in the assistant message at message index 3',
      { needsReasoning: true },
    ],
    [
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
      { needsReasoning: true },
    ],
    ['Function call is missing a thought_signature in functionCall parts.', { needsSignatures: true }],
    ['Corrupted thought signature.', { refusesSignatures: true }],
    ['messages.1.content.0: Invalid `signature` in `thinking` block', { refusesSignatures: true }],
    ["messages[1]: 'reasoning_content' is not allowed in the input", { refusesReasoning: true }],
    ['Unrecognized request argument supplied: reasoning_content', { refusesReasoning: true }],
    [
      '[{"type":"extra_forbidden","loc":["body","messages",2,"assistant","reasoning_content"]}]',
      { refusesReasoning: true },
    ],
    ['"m" does not support thinking', undefined],
    ['Unsupported parameter: reasoning_effort', undefined],
    ['Function tools with reasoning are not supported.', undefined],
    ['This model does not support tools', undefined],
  ];
  for (const [text, lessons] of said)
    it(`is ${JSON.stringify(lessons)}: ${text}`, () =>
      assert.deepEqual(requirementsAfter(text, {}), lessons));

  it('is reported once, and the latest one counts', () => {
    assert.equal(requirementsAfter('reasoning_content is missing', { needsReasoning: true }), undefined);
    const refused = requirementsAfter('reasoning_content is not supported', {
      needsReasoning: true,
      needsSignatures: true,
    });
    assert.deepEqual(refused, { refusesReasoning: true, needsSignatures: true });
  });

  it('can be said by a profile', () => {
    assert.equal(echoFrom({ needsReasoning: true }), 'echo');
    assert.equal(echoFrom({ refusesReasoning: true }), 'drop');
    assert.equal(echoFrom({ needsSignatures: true }), undefined);
  });
});

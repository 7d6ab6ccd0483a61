import assert from 'node:assert/strict';
import type { Steps } from '../../../src/core/words/grammar';
import type { Protocol } from '../../../src/core/words/protocol';
import { requestBody } from '../../../src/models/body';
import type { ServerKind } from '../../../src/models/server-facts';
import { native } from '../../../src/protocols/native/native';
import { vcp } from '../../../src/protocols/vcp/vcp';
import { namedParameters, stepsOf } from '../../../src/models/steps';

describe('the size that a name tells', () => {
  const rows: readonly (readonly [model: string, expected: number | undefined])[] = [
    ['Qwen2.5-Coder-1.5B-Instruct', 1.5e9],
    ['llama3.2:3b', 3e9],
    ['smollm2-135m', 135e6],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 30e9],
    ['mistralai/Mixtral-8x7B-Instruct', undefined],
    ['qwen2.5-7b-instruct-1m', 7e9],
    ['gemini-pro-1m', undefined],
    ['gpt-5', undefined],
    ['qwen2.5-coder-1.5b-instruct-q4_k_m.gguf', 1.5e9],
    ['', undefined],
  ];
  for (const [model, expected] of rows) {
    it(`is ${expected} for "${model}"`, () => assert.equal(namedParameters(model), expected));
  }
});

describe('how a model works', () => {
  const rows: readonly (readonly [name: string, profile: Parameters<typeof stepsOf>[0], expected: string])[] =
    [
      ['the profile decides', { steps: 'many', model: 'tiny-1b', facts: { parameters: 1e9 } }, 'many'],
      ['the profile decides for a large model, too', { steps: 'one', model: 'big-70b' }, 'one'],
      [
        'what the server reports comes before the name',
        { model: 'x-70b', facts: { parameters: 2e9 } },
        'one',
      ],
      ['a small name', { model: 'qwen2.5-coder:1.5b' }, 'one'],
      ['four billions are not small', { model: 'qwen3-4b' }, 'many'],
      ['an unknown model', { model: 'default' }, 'many'],
      ['the doctor comes before the size', { model: 'tiny-1b', work: { steps: 'many' } }, 'many'],
      ['the doctor, for a large model', { model: 'big-70b', work: { steps: 'one' } }, 'one'],
      ['the profile comes before the doctor', { steps: 'many', work: { steps: 'one' } }, 'many'],
      ['`auto` in the profile leaves it to the doctor', { steps: 'auto', work: { steps: 'one' } }, 'one'],
      ['first steps say nothing about it', { model: 'tiny-1b', work: { solved: 3, of: 3 } }, 'one'],
    ];
  for (const [name, profile, expected] of rows) {
    it(`${name}: ${expected}`, () => assert.equal(stepsOf(profile), expected));
  }
});

describe('one call a reply over the tools of the API', () => {
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }] as const;
  const rows: readonly (readonly [
    name: string,
    protocol: Protocol,
    kind: ServerKind | undefined,
    steps: Steps,
  ])[] = [
    ['is asked for', native, 'llamacpp', 'one'],
    ['is not asked for where a reply may have many', native, 'llamacpp', 'many'],
    ['is not asked for from an unknown server', native, undefined, 'one'],
    ['is not asked for over text', vcp, 'llamacpp', 'one'],
  ];
  for (const [name, protocol, kind, steps] of rows) {
    it(name, () => {
      const request = protocol.request({ instructions: '', turns: [], tools, steps });
      const options = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm', server: () => kind };
      const isAsked = 'parallel_tool_calls' in requestBody(options, request);
      assert.equal(isAsked, name === 'is asked for');
    });
  }
});

import assert from 'node:assert/strict';
import { plansFor } from '../../../src/agent/prepare-job';
import type { ModelProfile } from '../../../src/models/profiles';

describe('how a model would work', () => {
  const near = { id: 'm', provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' } as const;
  const llama = { kind: 'llamacpp', tools: true } as const;
  const rows: readonly (readonly [name: string, profile: ModelProfile, expected: readonly string[]])[] = [
    [
      'a small one where a grammar can be forced',
      { ...near, model: 'qwen2.5-coder-1.5b', facts: llama },
      ['plain one', 'plain one', 'native many'],
    ],
    [
      'a large one there',
      { ...near, model: 'qwen3-32b', facts: llama },
      ['native many', 'plain one', 'native many'],
    ],
    [
      'one with its own protocol, which the others need not have',
      { ...near, model: 'qwen3-32b', facts: llama, protocol: 'hermes' },
      ['hermes many', 'plain one', 'native many'],
    ],
    [
      'one that the doctor has recommended steps for',
      { ...near, model: 'qwen3-32b', facts: llama, work: { steps: 'one' } },
      ['plain one', 'plain one', 'native many'],
    ],
  ];
  for (const [name, profile, expected] of rows)
    it(name, () =>
      assert.deepEqual(
        plansFor(profile).map(({ protocol, steps }) => `${protocol} ${steps}`),
        expected,
      ),
    );
});

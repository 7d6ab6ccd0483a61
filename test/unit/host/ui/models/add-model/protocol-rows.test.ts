import assert from 'node:assert/strict';
import { adviseProtocol } from '../../../../../../src/host/ui/models/add-model/protocol-rows';
import type { ConnectionReport } from '../../../../../../src/models/connection-test';

const works = (tools: 'called' | 'accepted' | 'refused'): ConnectionReport => ({
  type: 'works',
  firstMs: 100,
  tools,
});

describe('what is said of protocols when a model is added', () => {
  const rows = [
    { name: 'nothing is known', model: 'house', advice: { auto: 'native', why: 'usual' } },
    {
      name: 'it called a tool',
      model: 'house',
      report: works('called'),
      advice: { auto: 'native', why: 'called' },
    },
    {
      name: 'its server tells of tools',
      model: 'house',
      facts: { tools: true },
      report: works('accepted'),
      advice: { auto: 'native', why: 'reported' },
    },
    {
      name: 'its template drops tools',
      model: 'qwen3:8b',
      facts: { tools: false },
      report: works('accepted'),
      advice: { auto: 'hermes', why: 'dropped' },
    },
    {
      name: 'its endpoint refuses tools',
      model: 'qwen3:8b',
      report: works('refused'),
      advice: { auto: 'native', why: 'usual', instead: 'hermes' },
    },
    {
      name: 'its family writes a text protocol from the start',
      model: 'gemma-2-9b-it',
      report: works('refused'),
      advice: { auto: 'pythonic', why: 'trained' },
    },
    {
      name: 'a small model has a server that enforces forms',
      model: 'house',
      facts: { kind: 'llamacpp', parameters: 1.5e9 },
      report: works('called'),
      advice: { auto: 'plain', why: 'small' },
    },
    {
      name: 'the test failed',
      model: 'house',
      report: { type: 'failed', failure: { code: 'unreachable', message: 'x' } },
      advice: { auto: 'native', why: 'usual' },
    },
  ] as const;
  for (const { name, model, advice, ...known } of rows) {
    it(`takes ${advice.auto} where ${name}`, () => {
      const facts = 'facts' in known ? { facts: known.facts } : {};
      assert.deepEqual(
        adviseProtocol(
          { model, baseUrl: 'http://127.0.0.1:1/v1', ...facts },
          'report' in known ? known.report : undefined,
        ),
        advice,
      );
    });
  }
});

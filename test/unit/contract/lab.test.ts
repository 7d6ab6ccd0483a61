import assert from 'node:assert/strict';
import { LabToHost } from '../../../src/contract/lab';

const VALID: readonly LabToHost[] = [
  { type: 'list-tools', id: 0 },
  { type: 'list-runs', id: 1 },
  { type: 'run-tool', id: 2, tool: 'read_file', arguments: '{"path":"a"}' },
  { type: 'stop' },
  { type: 'forget-runs' },
  { type: 'decide', callId: 'c1', answer: { type: 'run' } },
  { type: 'decide', callId: 'c1', answer: { type: 'run', grant: 'allow-commands' } },
  { type: 'decide', callId: 'c1', answer: { type: 'edit', arguments: '{}' } },
  { type: 'answer', callId: 'c1', text: 'this one' },
  { type: 'show-diff', callId: 'c1' },
];

const INVALID: readonly (readonly [why: string, message: unknown])[] = [
  ['of no kind', { type: 'send', text: 'hello' }],
  ['with more than it may have', { type: 'stop', now: true }],
  ['that asks without a number', { type: 'list-tools' }],
  ['that asks with half a number', { type: 'list-runs', id: 0.5 }],
  ['that asks with a number below zero', { type: 'list-runs', id: -1 }],
  ['that names no tool', { type: 'run-tool', id: 1, tool: '', arguments: '{}' }],
  ['whose tool has a long name', { type: 'run-tool', id: 1, tool: 'x'.repeat(201), arguments: '{}' }],
  ['whose arguments are not text', { type: 'run-tool', id: 1, tool: 'x', arguments: {} }],
  ['whose arguments are long', { type: 'run-tool', id: 1, tool: 'x', arguments: 'x'.repeat(4_000_001) }],
  ['that contains a grant', { type: 'decide', callId: 'c', answer: { type: 'run', grant: { rules: [] } } }],
  ['that is not an object', 'stop'],
];

describe('messages of the lab page', () => {
  for (const message of VALID) {
    it(`takes ${JSON.stringify(message)}`, () => {
      assert.deepEqual(LabToHost.parse(message), message);
    });
  }

  for (const [why, message] of INVALID) {
    it(`G18: refuses one ${why}`, () => {
      assert.equal(LabToHost.safeParse(message).success, false);
    });
  }
});

import assert from 'node:assert/strict';
import { InspectorToHost } from '../../../src/contract/inspector';

const VALID: readonly InspectorToHost[] = [
  { type: 'ready' },
  { type: 'copy', section: 'request' },
  { type: 'read', id: 1, protocol: 'vcp' },
  { type: 'read', id: 2, protocol: 'vcp', text: '' },
  { type: 'go-on', id: 2 },
  { type: 'open-lab' },
  { type: 'open-lab', id: 2 },
];

describe('messages of the inspector page', () => {
  const accepts = (message: unknown): boolean => InspectorToHost.safeParse(message).success;

  for (const message of VALID) {
    it(`G18.schema: takes ${JSON.stringify(message)} unchanged and with nothing added`, () => {
      assert.deepEqual(InspectorToHost.parse(message), message);
      assert.ok(!accepts({ ...message, more: 1 }));
    });
  }

  for (const { name, message } of [
    { name: 'a text to continue with', message: { type: 'go-on', id: 2, text: 'other' } },
    { name: 'nothing to continue with', message: { type: 'go-on' } },
    { name: 'an unknown section', message: { type: 'copy', section: 'keys' } },
    {
      name: 'a reply too long',
      message: { type: 'read', id: 1, protocol: 'vcp', text: 'x'.repeat(9_000_001) },
    },
  ]) {
    it(`G18.schema: refuses ${name}`, () => assert.ok(!accepts(message)));
  }
});

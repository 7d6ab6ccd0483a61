import assert from 'node:assert/strict';
import { LabToHost } from '../../../src/contract/lab';
import type { RequestsToHost } from '../../../src/contract/lab-requests';

const VALID: readonly RequestsToHost[] = [
  { type: 'inspected-reply', id: 1 },
  { type: 'sent-request', id: 1 },
  { type: 'inspect-last' },
  { type: 'copy-section', id: 1, section: 'request' },
  { type: 'parse-again', id: 1, protocol: 'vcp' },
  { type: 'parse-again', id: 2, protocol: 'vcp', text: '' },
  { type: 'continue-with', id: 3, reading: 2 },
  { type: 'parse-inspected', id: 4 },
  { type: 'parse-inspected', id: 4, reading: 2 },
];

describe('messages of the Requests tab', () => {
  const accepts = (message: unknown): boolean => LabToHost.safeParse(message).success;

  for (const message of VALID) {
    it(`G18.schema: takes ${JSON.stringify(message)} unchanged and with nothing added`, () => {
      assert.deepEqual(LabToHost.parse(message), message);
      assert.ok(!accepts({ ...message, more: 1 }));
    });
  }

  for (const { name, message } of [
    { name: 'a text to continue with', message: { type: 'continue-with', id: 3, reading: 2, text: 'other' } },
    { name: 'nothing to continue with', message: { type: 'continue-with', id: 3 } },
    { name: 'an unknown section', message: { type: 'copy-section', id: 1, section: 'keys' } },
    {
      name: 'a reply too long',
      message: { type: 'parse-again', id: 1, protocol: 'vcp', text: 'x'.repeat(9_000_001) },
    },
  ]) {
    it(`G18.schema: refuses ${name}`, () => assert.ok(!accepts(message)));
  }
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ChatToHost } from '../../../src/contract/chat';
import { caseCount } from '../../hosts/random-cases';

const VALID: readonly ChatToHost[] = [
  { type: 'ready' },
  { type: 'send', text: 'hello' },
  { type: 'send', text: 'hello', instead: { entry: 4, text: 'hallo' } },
  { type: 'send', text: 'hello', interrupts: true },
  { type: 'retry', entry: 0 },
  { type: 'retry', entry: 2, isChosen: true },
  { type: 'queue', change: { type: 'remove', id: 0 } },
  { type: 'queue', change: { type: 'hold', id: 1 } },
  { type: 'queue', change: { type: 'release', id: 1, text: 'other' } },
  { type: 'queue', change: { type: 'go-on' } },
  { type: 'attach-image', name: '', data: 'iVBORw==' },
  { type: 'remove-image', id: 0 },
  { type: 'attach-uris', uris: ['file:///w/a.ts'] },
  { type: 'complete', id: 3, query: 'src/' },
  { type: 'complete', id: 0, only: 'folder', query: '' },
  { type: 'with-editor', isOn: false },
  { type: 'stop' },
  { type: 'attach', what: 'image' },
  { type: 'decide', callId: 'c1', answer: { type: 'run' } },
  { type: 'decide', callId: 'c1', answer: { type: 'run', grant: 'edits-in-session' } },
  { type: 'decide', callId: 'c1', answer: { type: 'reject', reason: '' } },
  { type: 'answer', callId: 'c1', text: 'the second' },
  { type: 'pick', picker: 'mode', value: 'manual' },
  { type: 'choose-model', from: 'local' },
  { type: 'sandbox-offer', choice: 'set-up' },
  { type: 'run-command', command: 'sandbox' },
  { type: 'show-diff', callId: 'c1' },
  { type: 'open-link', url: 'https://example.com' },
  { type: 'open-path', path: 'src/a.ts', line: 12, column: 5 },
  { type: 'restore-files', entry: 3 },
  { type: 'show-change', path: '/w/a.txt' },
  { type: 'insert-code', code: 'let a;' },
  { type: 'apply-code', code: 'let a;', info: 'ts', before: 'In a.ts:' },
  { type: 'inspect', reply: { number: 0 } },
  { type: 'inspect', reply: { number: 2, callId: 'c1' } },
];

describe('messages of the chat page', () => {
  const accepts = (message: unknown): boolean => ChatToHost.safeParse(message).success;

  for (const message of VALID) {
    it(`G18.schema: takes ${JSON.stringify(message)} unchanged and with nothing added`, () => {
      assert.deepEqual(ChatToHost.parse(message), message);
      assert.ok(!accepts({ ...message, more: 1 }));
      if ('answer' in message) {
        // The host runs what it has stored: an answer can contain neither arguments nor a tool.
        assert.ok(!accepts({ ...message, answer: { ...message.answer, arguments: {} } }));
      }
    });
  }

  for (const { name, message } of [
    { name: 'an unknown type', message: { type: 'run-command', command: 'x' } },
    { name: 'a grant that was not offered', message: decide({ type: 'run', grant: 'everything' }) },
    { name: 'a text too long', message: { type: 'send', text: 'x'.repeat(1_000_001) } },
    { name: 'an index without what it says', message: { type: 'send', text: 'x', instead: { entry: 4 } } },
    { name: 'an empty text', message: { type: 'send', text: '' } },
    { name: 'a query too long', message: { type: 'complete', id: 1, query: 'x'.repeat(201) } },
    { name: 'a question of no number', message: { type: 'complete', id: -1, query: '' } },
    {
      name: 'a question for something else',
      message: { type: 'complete', id: 1, only: 'secret', query: '' },
    },
    { name: 'attachments of its own', message: { type: 'send', text: 'x', attachments: [] } },
    { name: 'a reason too long', message: decide({ type: 'reject', reason: 'x'.repeat(10_001) }) },
    { name: 'an empty answer', message: { type: 'answer', callId: 'c1', text: '' } },
    { name: 'an answer too long', message: { type: 'answer', callId: 'c1', text: 'x'.repeat(10_001) } },
    { name: 'an answer to nothing', message: { type: 'answer', text: 'x' } },
    { name: 'an id too long', message: { type: 'show-diff', callId: 'x'.repeat(501) } },
    { name: 'a line before the first', message: { type: 'open-path', path: 'a.ts', line: 0 } },
    { name: 'an address too long', message: { type: 'open-link', url: 'x'.repeat(4_097) } },
    { name: 'no code', message: { type: 'insert-code', code: '' } },
    { name: 'a path too long', message: { type: 'show-change', path: 'x'.repeat(4_097) } },
    { name: 'an entry that is not a number', message: { type: 'restore-files', entry: '3' } },
    { name: 'a model from elsewhere', message: { type: 'choose-model', from: 'https://example.com' } },
    { name: 'an unknown picker', message: { type: 'pick', picker: 'key', value: 'x' } },
    { name: 'an entry below zero', message: { type: 'retry', entry: -1 } },
    { name: 'another text for a retry', message: { type: 'retry', entry: 0, text: 'x' } },
    { name: 'a run of its own making', message: { type: 'queue', change: { type: 'add', text: 'x' } } },
    { name: 'an empty change', message: { type: 'queue', change: { type: 'release', id: 0, text: '' } } },
    {
      name: 'an image too large',
      message: { type: 'attach-image', name: '', data: 'A'.repeat(8_000_001) },
    },
    { name: 'too many addresses', message: { type: 'attach-uris', uris: Array(51).fill('file:///a') } },
    { name: 'an address of a file too long', message: { type: 'attach-uris', uris: ['x'.repeat(4_097)] } },
    { name: 'a list', message: [{ type: 'ready' }] },
  ]) {
    it(`G18.schema: refuses ${name}`, () => assert.ok(!accepts(message)));
  }

  it('G18.fuzz: never throws, and takes nothing that is not one of the known messages', () => {
    const known = new Set(VALID.map(({ type }) => type));
    const field = fc.oneof(
      fc.anything(),
      fc.constantFrom(...known, 'run', 'reject', 'mode', 'edits-in-session'),
    );
    const keys = [
      'type',
      'text',
      'callId',
      'answer',
      'picker',
      'value',
      'url',
      'grant',
      'reason',
      '__proto__',
    ];
    const shaped = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(field, fc.dictionary(fc.constantFrom(...keys), field)),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), shaped), (message) => {
        const checked = ChatToHost.safeParse(message);
        if (!checked.success) return;
        assert.ok(known.has(checked.data.type));
        assert.ok(JSON.stringify(checked.data).length < 1_100_000 * 6);
      }),
      { numRuns: caseCount(3_000) },
    );
  });
});

function decide(answer: object): object {
  return { type: 'decide', callId: 'c', answer };
}

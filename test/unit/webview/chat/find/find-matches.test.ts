import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import type { Entry, EntryPart } from '../../../../../src/core/transcript/transcript';
import {
  ConversationSearch,
  firstFrom,
  matchAt,
  MOST_MATCHES,
} from '../../../../../src/webview/chat/find/find-matches';
import { toolCall } from '../../../../support/agent/chat-events';

const user = (text: string): Entry => ({ type: 'user', text, attachments: [] });

function reply(...parts: readonly EntryPart[]): Entry {
  const rest = { number: 0, protocol: 'native', round: 1, maxRounds: 50, warnings: [], raw: '' };
  return { type: 'reply', ...rest, parts };
}

const read: EntryPart = {
  type: 'call',
  index: 0,
  name: 'read_file',
  draft: [],
  state: {
    type: 'ended',
    call: toolCall('read_file', { path: 'plum.txt', start_line: 3 }),
    result: { requestId: 'c1', toolName: 'read_file', status: 'success', result: 'a plum', durationMs: 1 },
  },
};

const entries = [user('Where are Plums?'), reply({ type: 'text', text: 'plum, plum' }, read), user('no')];

describe('find-matches', () => {
  const search = new ConversationSearch();

  it('finds a text in messages, answers, arguments and results, in any case', () => {
    deepEqual(search.find(entries, 'plum'), {
      query: 'plum',
      texts: [
        { entry: 0, part: 0, count: 1 },
        { entry: 1, part: 0, count: 2 },
        { entry: 1, part: 1, count: 2 },
      ],
      total: 5,
    });
  });

  it('goes through the matches in order', () => {
    const found = search.find(entries, 'plum');
    deepEqual(
      Array.from({ length: 6 }, (_, number) => matchAt(found, number)),
      [
        { entry: 0, part: 0, inPart: 0 },
        { entry: 1, part: 0, inPart: 0 },
        { entry: 1, part: 0, inPart: 1 },
        { entry: 1, part: 1, inPart: 0 },
        { entry: 1, part: 1, inPart: 1 },
        undefined,
      ],
    );
    deepEqual([firstFrom(found, 0), firstFrom(found, 1), firstFrom(found, 2)], [0, 1, 0]);
  });

  it('takes every character as it is, finds nothing without a text, and knows its limit', () => {
    equal(search.find([user('a.b (a+b)')], '.').total, 1);
    equal(search.find([user('a.b (a+b)')], '(A+').total, 1);
    equal(search.find(entries, '').total, 0);
    equal(search.find([user('x'.repeat(20_000)), user('x')], 'x').total, MOST_MATCHES);
  });

  it('finds the same with and without what it remembers', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text), fc.array(text), (texts, queries) => {
        const all = texts.map(user);
        const remembering = new ConversationSearch();
        for (const query of queries) {
          const found = remembering.find(all, query);
          deepEqual(found, new ConversationSearch().find(all, query));
          for (let number = 0; number < found.total; number += 1) ok(matchAt(found, number));
        }
      }),
    );
  });
});

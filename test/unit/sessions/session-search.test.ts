import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/core/words/events';
import { SessionSearch } from '../../../src/sessions/session-search';
import type { StoredSession } from '../../../src/sessions/session-store';
import { runWithCall, toolCall, toolEnd } from '../../support/agent/chat-events';

const lookUp = toolCall('look_up', { word: 'argument' });

function talk(question: string, answer: string): readonly AgentEvent[] {
  return [
    ...runWithCall(lookUp),
    toolEnd(lookUp, 'success', 'the result speaks of walnuts'),
    { type: 'run-start', text: question, time: 1 },
    { type: 'round-start', round: 1, maxRounds: 50, protocol: 'vcp', model: 'm' },
    { type: 'reasoning', text: 'I think of walnuts' },
    { type: 'text', text: answer },
    { type: 'run-end', outcome: { type: 'done' } },
  ];
}

const SESSIONS: Readonly<Record<string, readonly AgentEvent[]>> = {
  'About plums': talk('How are plums grown?', 'On trees.\n  They like SUN and rain.  '),
  'About pears': talk('And pears?', `${'far '.repeat(30)}from plums${' away'.repeat(60)}`),
  Untold: talk('What of Ömer?', 'Nothing.'),
};

function search(): { readonly search: SessionSearch; readonly loaded: string[] } {
  const loaded: string[] = [];
  const store = {
    list: async () =>
      Object.keys(SESSIONS).map((id) => ({
        ...{ id, files: [id], title: id, workspace: '', created: 1, modified: 1 },
      })),
    load: async (id: string): Promise<StoredSession | undefined> => {
      loaded.push(id);
      const header = { version: 1, id, workspace: '', title: id, created: 1 };
      return { header, events: SESSIONS[id] ?? [], start: { title: id, created: 1 }, damaged: 0 };
    },
  };
  return { search: new SessionSearch(store), loaded };
}

/** Not more than so many rows. */
async function found(words: string, one = search().search, most = Infinity): Promise<string[]> {
  const rows: string[] = [];
  for await (const { session, line } of one.find(words, new AbortController().signal)) {
    rows.push(line === undefined ? session.title : `${session.title}: ${line}`);
    if (rows.length === most) break;
  }
  return rows;
}

const ROWS: readonly { name: string; words: string; expect: readonly string[] }[] = [
  { name: 'a message of the user', words: 'grown', expect: ['About plums: How are plums grown?'] },
  { name: 'an answer, small or large', words: ' sun and ', expect: ['About plums: They like SUN and rain.'] },
  { name: 'letters beyond ASCII', words: 'öMER', expect: ['Untold: What of Ömer?'] },
  { name: 'a title', words: 'told', expect: ['Untold'] },
  {
    name: 'the place in a long line',
    words: 'from plums',
    expect: [`About pears: …${'far '.repeat(10)}from plums${' away'.repeat(22)}…`],
  },
  { name: 'all sessions without words', words: ' ', expect: ['About plums', 'About pears', 'Untold'] },
  { name: 'nothing in results, arguments and thoughts', words: 'walnuts', expect: [] },
  { name: 'nothing in what a call was given', words: 'argument', expect: [] },
];

describe('search in sessions', () => {
  for (const { name, words, expect } of ROWS) {
    it(`finds ${name}`, async () => assert.deepEqual(await found(words), expect));
  }

  it('reads each file once, in order, and no file without search words', async () => {
    const { search: one, loaded } = search();
    await found('', one);
    assert.deepEqual(loaded, []);
    await found('plums', one, 1);
    assert.deepEqual(loaded, ['About plums']);
    await found('plums', one);
    assert.deepEqual(loaded, Object.keys(SESSIONS));
  });

  it('finds nothing more once it is stopped', async () => {
    const stop = new AbortController();
    const rows: string[] = [];
    for await (const { session } of search().search.find('', stop.signal)) {
      rows.push(session.title);
      stop.abort();
    }
    assert.deepEqual(rows, ['About plums']);
  });
});

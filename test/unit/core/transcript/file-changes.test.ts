import assert from 'node:assert/strict';
import { changedFiles, changesSince, restorableEntries } from '../../../../src/core/transcript/file-changes';
import { foldTranscript } from '../../../../src/core/transcript/fold-transcript';
import { emptyTranscript, type Transcript } from '../../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../../src/core/words/events';
import { ABSENT, UNKNOWN, type FileChange } from '../../../../src/core/words/file-change';
import { roundStart, runStart, toolCall } from '../../../support/agent/chat-events';

/** `a: 1→2`; without what follows the arrow the change was never reported as done. */
function change(text: string): FileChange {
  const [, path = '', before = '', after] = /^(\w+): (\w+)→(\w+)?$/.exec(text) ?? [];
  return { path, display: path, before, ...(after !== undefined && { after }) };
}

let calls = 0;

function edits(...texts: readonly string[]): AgentEvent[] {
  const call = { ...toolCall('edit_file', {}), id: `c${++calls}` };
  return [
    roundStart,
    { type: 'call-end', index: 0, call },
    { type: 'tool-start', callId: call.id, title: 'Edit' },
    ...texts.flatMap((text): AgentEvent[] => {
      const { after, ...begun } = change(text);
      const event = { type: 'file-change', callId: call.id } as const;
      const first = { ...event, change: begun };
      return after === undefined ? [first] : [first, { ...event, change: { ...begun, after } }];
    }),
  ];
}

function run(...events: readonly AgentEvent[]): AgentEvent[] {
  return [runStart('go'), ...events, { type: 'run-end', outcome: { type: 'done' } }];
}

function restore(entry: number, ...texts: readonly string[]): AgentEvent[] {
  const changes = texts.map(change);
  const begun = changes.map(({ after: _, ...rest }) => rest);
  return [
    { type: 'restore', entry, changes: begun },
    { type: 'restore', entry, changes },
  ];
}

function fold(...events: readonly AgentEvent[]): Transcript {
  return events.reduce(foldTranscript, emptyTranscript);
}

function text({ path, before, after, isShared }: FileChange & { isShared: boolean }): string {
  return `${path}: ${before}→${after ?? ''}${isShared ? ' shared' : ''}`;
}

describe('changes of files', () => {
  const rows: {
    name: string;
    events: AgentEvent[];
    since?: number;
    expect: string[];
    changed?: string[];
    restorable: number[];
  }[] = [
    { name: 'are empty at first', events: run(), expect: [], restorable: [] },
    {
      name: 'are the first before and the last after of each file',
      events: run(...edits('a: 1→2', 'b: absent→3'), ...edits('a: 2→4')),
      expect: ['a: 1→4', 'b: absent→3'],
      restorable: [0],
    },
    {
      name: 'count from the message on',
      events: [...run(...edits('a: 1→2')), ...run(...edits('a: 2→3'))],
      since: 2,
      expect: ['a: 2→3'],
      changed: ['a: 1→3'],
      restorable: [0, 2],
    },
    {
      name: 'leave reverted files out of the list',
      events: run(...edits('a: 1→2', 'a: 2→1')),
      expect: ['a: 1→1'],
      changed: [],
      restorable: [],
    },
    {
      name: 'show that another program changed the file in between',
      events: run(...edits('a: 1→2'), ...edits('a: x→3'), ...edits('a: 3→4')),
      expect: ['a: 1→4 shared'],
      restorable: [0],
    },
    {
      name: 'have no end if the process was killed',
      events: run(...edits('a: 1→2'), ...edits('a: 2→')),
      expect: ['a: 1→'],
      restorable: [0],
    },
    {
      name: 'go on after a change that was cut off',
      events: [...run(...edits('a: 1→')), ...run(...edits('a: 2→3'))],
      expect: ['a: 1→3'],
      restorable: [0, 2],
    },
    {
      name: 'hold what a file was that could not be read',
      events: run(...edits(`a: ${UNKNOWN}→${UNKNOWN}`)),
      expect: [`a: ${UNKNOWN}→${UNKNOWN}`],
      restorable: [0],
    },
    {
      name: 'take two files in one call apart',
      events: run(...edits('a: 1→', 'b: 2→')),
      expect: ['a: 1→', 'b: 2→'],
      restorable: [0],
    },
    {
      name: 'take restores into account',
      events: [...run(...edits('a: 1→2')), ...run(...edits('a: 2→3')), ...restore(2, 'a: 3→2')],
      expect: ['a: 1→2'],
      restorable: [0, 4],
    },
    {
      name: 'let a restore be undone until something else changes',
      events: [...run(...edits('a: 1→2')), ...restore(0, 'a: 2→1'), ...run(...edits('a: 1→5'))],
      expect: ['a: 1→5'],
      restorable: [0, 3],
    },
    {
      name: 'let the undoing be undone',
      events: [...run(...edits('a: 1→2')), ...restore(0, 'a: 2→1'), ...restore(2, 'a: 1→2')],
      expect: ['a: 1→2'],
      restorable: [0, 3],
    },
    {
      name: 'know a restore that was cut off',
      events: [
        ...run(...edits('a: 1→2')),
        { type: 'restore', entry: 0, changes: [{ path: 'a', display: 'a', before: '2' }] },
      ],
      expect: ['a: 1→'],
      restorable: [0, 2],
    },
  ];
  for (const { name, events, since = 0, expect, changed, restorable } of rows) {
    it(name, () => {
      const transcript = fold(...events);
      assert.deepEqual(changesSince(transcript, since).map(text), expect);
      assert.deepEqual(changedFiles(transcript).map(text), changed ?? expect);
      assert.deepEqual(
        [...restorableEntries(transcript)].sort((one, other) => one - other),
        restorable,
      );
    });
  }

  it('keep the order in which agents side by side have made them', () => {
    const outer = { ...toolCall('call_sub_agent', {}), id: 'x' };
    const other = { ...outer, id: 'y' };
    const inner = (callId: string, events: readonly AgentEvent[]): AgentEvent[] =>
      events.map((event) => ({ type: 'sub-agent', callId, event }));
    const transcript = fold(
      runStart('go'),
      roundStart,
      { type: 'call-end', index: 0, call: outer },
      { type: 'call-end', index: 1, call: other },
      { type: 'tool-start', callId: 'x', title: '' },
      { type: 'tool-start', callId: 'y', title: '' },
      ...inner('y', [runStart('task'), ...edits('a: 1→2')]),
      ...inner('x', [runStart('task'), ...inner('z', edits('a: 2→3'))]),
      ...inner('y', edits('a: 3→4')),
    );
    assert.deepEqual(changesSince(transcript, 0).map(text), ['a: 1→4']);
    assert.deepEqual([...restorableEntries(transcript)], [0]);
  });

  it('put the end of a restore at its beginning, whatever came in between', () => {
    const [begin, end] = restore(0, `a: 2→${ABSENT}`);
    assert.ok(begin && end);
    const transcript = fold(...run(...edits(`a: ${ABSENT}→2`)), begin, ...run(...edits('b: 1→2')), end);
    assert.deepEqual(
      transcript.entries.map(({ type }) => type),
      ['user', 'reply', 'restore', 'user', 'reply'],
    );
    assert.deepEqual(
      transcript.changes.map(({ entry }) => entry),
      [1, 2, 4],
    );
    assert.deepEqual(changedFiles(transcript).map(text), ['b: 1→2']);
  });
});

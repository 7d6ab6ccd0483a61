import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import type { CallPart, Entry, EntryPart, ReplyEntry } from '../../../../src/core/transcript/transcript';
import {
  contains,
  entryLayouts,
  isUnfolded,
  stepFolds,
  toggled,
  type StepFold,
} from '../../../../src/core/transcript/step-folds';
import { toolCall } from '../../../support/agent/chat-events';

const user: Entry = { type: 'user', text: 'go', attachments: [] };
const stopped: Entry = { type: 'outcome', outcome: { type: 'aborted' } };

function reply(parts: readonly EntryPart[], more: Partial<ReplyEntry> = {}): Entry {
  const rest = { number: 0, protocol: 'native', round: 1, maxRounds: 50, warnings: [], raw: '' };
  return { type: 'reply', ...rest, parts, ended: 'stop', ...more };
}

const text = (said: string): EntryPart => ({ type: 'text', text: said });
const thought: EntryPart = { type: 'reasoning', text: 'hm' };

function call(
  status: 'success' | 'error' | 'denied' | 'running' | 'malformed',
  name = 'read_file',
): CallPart {
  const made = toolCall(name, { path: 'a' });
  const state = ((): CallPart['state'] => {
    if (status === 'running') return { type: 'running', call: made, title: name, output: '' };
    if (status === 'malformed') {
      const diagnostic = { code: 'x', level: 'error', message: 'M.', hint: 'H.', start: 0, end: 1 } as const;
      return { type: 'malformed', malformed: { id: 'm', diagnostic, raw: '', start: 0, end: 1 } as never };
    }
    const result = { requestId: 'c1', toolName: name, status, result: 'r', durationMs: 1 };
    return { type: 'ended', call: made, result };
  })();
  return { type: 'call', index: 0, name, draft: [], state };
}

const done = call('success');

describe('step-folds', () => {
  const rows: readonly {
    readonly name: string;
    readonly entries: readonly Entry[];
    readonly running?: boolean;
    /** `first part-last part: calls`. */
    readonly folds: readonly string[];
  }[] = [
    { name: 'leaves one call alone', entries: [user, reply([done]), reply([text('A')])], folds: [] },
    {
      name: 'folds calls of several replies while the run goes on',
      running: true,
      entries: [user, reply([text('Look'), done]), reply([thought, done]), reply([done, call('running')])],
      folds: ['1.1-3.0: 3'],
    },
    {
      name: 'keeps what the model says between calls while the run goes on',
      running: true,
      entries: [user, reply([done, done]), reply([text('Next'), done]), reply([done])],
      folds: ['1.0-1.1: 2', '2.1-3.0: 2'],
    },
    {
      name: 'folds a finished run to its answer',
      entries: [user, reply([text('Look'), done]), reply([text('Next'), done]), reply([thought, text('A')])],
      folds: ['1.0-2.1: 2'],
    },
    {
      name: 'folds an earlier run while another goes on',
      running: true,
      entries: [user, reply([text('L'), done, done]), reply([text('A')]), user, reply([text('L'), done])],
      folds: ['1.0-1.2: 2'],
    },
    {
      name: 'keeps a failure outside, and what the model said before it',
      entries: [user, reply([done, done, text('Test'), call('error'), done]), reply([text('A')])],
      folds: ['1.0-1.1: 2'],
    },
    {
      name: 'keeps rejected and malformed calls outside',
      entries: [user, reply([done, done, call('denied'), call('malformed'), done, done]), reply([text('A')])],
      folds: ['1.0-1.1: 2', '1.4-1.5: 2'],
    },
    {
      name: 'folds only calls of a run without an answer',
      entries: [user, reply([text('Look'), done]), reply([done]), stopped],
      folds: ['1.1-2.0: 2'],
    },
    {
      name: 'ends a fold at a reply that was cut off',
      entries: [user, reply([done, done], { ended: 'length' }), reply([done, done]), reply([text('A')])],
      folds: ['1.0-1.1: 2', '2.0-2.1: 2'],
    },
  ];
  for (const { name, entries, running = false, folds } of rows)
    it(name, () => deepEqual(stepFolds(entries, running).map(nameOf), folds));

  const part = fc.oneof(
    fc.constantFrom<EntryPart>(text('T'), text(' '), thought),
    fc.constantFrom<EntryPart>(done, done, call('error'), call('denied'), call('running'), call('malformed')),
  );
  const entry = fc.oneof(
    { weight: 4, arbitrary: fc.array(part, { maxLength: 5 }).map((parts) => reply(parts)) },
    fc.constantFrom(user, stopped),
  );
  const numbered = fc
    .array(entry, { maxLength: 12 })
    .map((all) => all.map((each, number) => (each.type === 'reply' ? { ...each, number } : each)));
  const conversation = fc.tuple(numbered, fc.boolean());

  it('loses and moves nothing, and folds nothing that failed or waits', () => {
    fc.assert(
      fc.property(conversation, ([entries, running]) => {
        const folds = stepFolds(entries, running);
        const layouts = entryLayouts(entries, folds, []);
        for (const [index, each] of entries.entries()) {
          if (each.type !== 'reply') continue;
          const items = layouts.get(index)?.items ?? each.parts.map((_, at) => at);
          const drawn = items.filter((item) => typeof item === 'number');
          const hidden = each.parts.flatMap((_, at) => (drawn.includes(at) ? [] : [at]));
          equal(drawn.length, new Set(drawn).size);
          deepEqual(
            drawn,
            [...drawn].sort((a, b) => a - b),
          );
          for (const at of hidden) {
            equal(folds.filter((fold) => contains(fold, { entry: index, part: at })).length, 1);
            const inside = each.parts[at];
            ok(inside?.type !== 'call' || inside === done);
          }
        }
        const heads = [...layouts.values()].flatMap(({ items }) =>
          items.flatMap((item) => (typeof item === 'number' ? [] : [item.fold])),
        );
        deepEqual(heads, folds);
      }),
    );
  });

  it('shows every part of unfolded folds, with their lines', () => {
    fc.assert(
      fc.property(conversation, ([entries, running]) => {
        const folds = stepFolds(entries, running);
        const unfolded = folds.reduce<readonly string[]>((before, fold) => toggled(fold, before), []);
        for (const [index, { items, hasTail }] of entryLayouts(entries, folds, unfolded)) {
          const each = entries[index];
          const drawn = items.filter((item) => typeof item === 'number');
          deepEqual(drawn, each?.type === 'reply' ? each.parts.map((_, at) => at) : []);
          ok(hasTail);
        }
        for (const fold of folds) ok(!isUnfolded(fold, toggled(fold, unfolded)));
      }),
    );
  });

  it('begins where it is asked to, with the same folds', () => {
    fc.assert(
      fc.property(conversation, ([entries, running]) => {
        const all = stepFolds(entries, running);
        for (const [index, { type }] of entries.entries()) {
          if (type !== 'user') continue;
          const later = all.filter(({ start }) => start.entry >= index);
          deepEqual(stepFolds(entries, running, index), later);
        }
      }),
    );
  });

  it('keeps an unfolded group unfolded when its run has ended', () => {
    const before = [user, reply([text('L'), done]), reply([done])];
    const [group] = stepFolds(before, true);
    ok(group);
    const unfolded = toggled(group, []);
    const [run] = stepFolds([...before, reply([text('A')])], false);
    ok(run?.isRun && isUnfolded(run, unfolded));
  });
});

function nameOf({ start, end, calls }: StepFold): string {
  return `${start.entry}.${start.part}-${end.entry}.${end.part}: ${calls.length}`;
}

import assert from 'node:assert/strict';
import { parseReply } from '../../../src/core/reply/parse-reply';
import type { ReplyPart, Turn } from '../../../src/core/words/messages';
import type { ModelDelta } from '../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../src/core/words/protocol';
import type { ToolSpec } from '../../../src/core/words/tool';
import { faultOf, resultsOf, rightReply, type Step } from '../../../src/doctor/exam';
import { Random } from '../../../src/doctor/random';
import { tasks } from '../../../src/doctor/tasks';
import { protocols } from '../../../src/protocols';
import { examRoom } from '../../support/agent/exam-model';
import { endDelta } from '../../support/agent/gateway-harness';

const partsOf = (
  protocol: Protocol,
  deltas: readonly ModelDelta[],
  tools: readonly ToolSpec[] = [],
): readonly ReplyPart[] =>
  parseReply(protocol, deltas, tools.length > 0 ? { tools, recover: true } : {}).parts.flatMap((part) =>
    part.type === 'warning' ? [] : [part],
  );

describe('the tasks of the doctor', () => {
  for (const protocol of protocols) {
    it(`can be done in ${protocol.id}, and the same seed gives the same exam`, () => {
      for (const task of tasks) {
        for (let seed = 0; seed < 30; seed++) {
          const exam = task.make(new Random(seed), protocol);
          assert.deepEqual(task.make(new Random(seed), protocol), exam);
          const turns: Turn[] = [...exam.turns];
          const tools = [...examRoom.tools, ...exam.tools];
          for (const step of exam.steps) {
            const parts = partsOf(protocol, rightReply(step, protocol), tools);
            assert.equal(faultOf(step, parts), undefined, `${task.id} ${seed}`);
            assert.ok(
              parts.every((part) => part.type !== 'call' || part.call.mark === 'clean'),
              task.id,
            );
            turns.push({ type: 'reply', parts }, { type: 'results', results: resultsOf(step, parts) });
          }
          protocol.request({ instructions: '', turns, tools });
        }
      }
    });
  }

  it('differ from variant to variant', () => {
    for (const task of tasks) {
      const asked = Array.from({ length: 20 }, (_, seed) =>
        JSON.stringify(task.make(new Random(seed), protocols[0]!).turns),
      );
      const least = task.needsCall ? 12 : 5;
      assert.ok(new Set(asked).size >= least, `${task.id}: ${new Set(asked).size}`);
    }
  });

  it('contain marks of the protocol itself if it can express them', () => {
    const text = tasks.find(({ id }) => id === 'text')!;
    const contentIn = (id: string): string => {
      const protocol = protocols.find((each) => each.id === id)!;
      return JSON.stringify(text.make(new Random(1), protocol).steps);
    };
    assert.match(contentIn('hermes'), /<\/tool_call>/);
    assert.match(contentIn('vcp'), /END_TOOL_REQUEST/);
    assert.match(contentIn('json'), /\}\}\]\}/);
  });

  it('has about 6,000 tokens before the long one', () => {
    const { turns } = tasks.find(({ id }) => id === 'long')!.make(new Random(1), protocols[0]!);
    const length = turns.reduce((sum, turn) => sum + (turn.type === 'user' ? turn.text.length : 0), 0);
    assert.ok(length / 4 > 5_500 && length / 4 < 7_500, String(length / 4));
  });
});

const call = (name: string, args: object, id = 'k'): readonly RenderedPart[] => [
  { type: 'call', call: { id, name, arguments: { ...args } } },
];
const wanted: Step = {
  type: 'calls',
  calls: [{ name: 'read_file', arguments: { path: 'a', lines: [1, { b: 2 }] }, mayHaveMore: true }],
  results: [{ status: 'success', text: 'x' }],
};
const exact: Step = { ...wanted, calls: wanted.calls.map((each) => ({ ...each, mayHaveMore: false })) };
const answer: Step = { type: 'answer', says: 'XYZ', example: 'XYZ' };
const args = { path: 'a', lines: [1, { b: 2 }] };

const rows: readonly [name: string, step: Step, reply: readonly RenderedPart[], fault: RegExp | undefined][] =
  [
    ['the call', wanted, call('read_file', args), undefined],
    ['more than was asked for', wanted, call('read_file', { ...args, more: 1 }), undefined],
    [
      'more where that matters',
      exact,
      call('read_file', { ...args, more: 1 }),
      /"more" of read_file was not/,
    ],
    [
      'another value',
      wanted,
      call('read_file', { path: 'b', lines: args.lines }),
      /"path" of read_file is not/,
    ],
    ['another value deep inside', wanted, call('read_file', { path: 'a', lines: [1, { b: 3 }] }), /"lines"/],
    ['a longer list', wanted, call('read_file', { path: 'a', lines: [1, { b: 2 }, 3] }), /"lines"/],
    [
      'an object for a list',
      wanted,
      call('read_file', { path: 'a', lines: { 0: 1, 1: { b: 2 } } }),
      /"lines"/,
    ],
    ['a value that is missing', wanted, call('read_file', { path: 'a' }), /"lines"/],
    ['another tool', wanted, call('find_files', args), /called find_files instead of read_file/],
    [
      'two calls',
      wanted,
      [...call('read_file', args), ...call('read_file', args, 'm')],
      /are 2 calls instead of 1/,
    ],
    ['no call', wanted, [{ type: 'text', text: 'I will.' }], /There is no call/],
    ['the answer', answer, [{ type: 'text', text: 'It is XYZ.' }], undefined],
    ['another answer', answer, [{ type: 'text', text: 'It is XY.' }], /does not say "XYZ"/],
    ['nothing', answer, [{ type: 'text', text: ' ' }], /said nothing/],
    ['a call for an answer', answer, call('read_file', {}), /called read_file where an answer/],
  ];

describe('a doctor reply', () => {
  const native = protocols.find(({ id }) => id === 'native')!;
  for (const [name, step, reply, fault] of rows) {
    it(`is ${fault ? 'wrong' : 'right'} with ${name}`, () => {
      const found = faultOf(step, partsOf(native, [...native.renderReply(reply), endDelta]));
      if (fault) assert.match(found ?? '', fault);
      else assert.equal(found, undefined);
    });
  }

  it('is wrong if a call is in another format', () => {
    const vcp = protocols.find(({ id }) => id === 'vcp')!;
    const hermes = protocols.find(({ id }) => id === 'hermes')!;
    const deltas = [...hermes.renderReply(call('read_file', { path: 'a' })), endDelta];
    assert.match(faultOf(wanted, partsOf(vcp, deltas, examRoom.tools)) ?? '', /form of another protocol/);
  });

  it('is wrong if a call is malformed', () => {
    const hermes = protocols.find(({ id }) => id === 'hermes')!;
    const deltas = [{ type: 'text', text: '<tool_call>{"name": read_file}</tool_call>' }] as const;
    assert.match(faultOf(wanted, partsOf(hermes, [...deltas, endDelta])) ?? '', /could not be read/);
  });
});

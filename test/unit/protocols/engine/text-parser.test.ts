import assert from 'node:assert/strict';
import { CallIds } from '../../../../src/core/reply/call-ids';
import { findProtocol } from '../../../../src/protocols';
import { Cursor } from '../../../../src/protocols/engine/cursor';
import { Trial } from '../../../../src/protocols/engine/trial';
import { readTool } from '../../../support/protocols/foreign-forms';
import { parseText } from '../../../support/protocols/run-parser';
import { eventLines, type Delta, type ParserRunOptions } from '../../../support/protocols/parser-events';

const VCP =
  '<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\na:「始」one「末」\nb:「始」two「末」\n<<<[END_TOOL_REQUEST]>>>';
const HALFWAY = VCP.indexOf('e「末」\nb:');
const UNCLOSED = '<tool_call>{"name":"a","arguments":{"p":"x}}</tool_call>';
const CLOSED = '<tool_call>{"name":"b"}</tool_call>';
const SHOWN = `shows : ${JSON.stringify(`${UNCLOSED.slice('<tool_call>'.length)}<tool_call>{"`)}`;
/** The label of its value never comes again, so that all behind it is swallowed. */
const LABELLED = VCP.replace('b:「始」', 'b:「始ESCAPE」');
const SWALLOWED = `two「末」\n<<<[END_TOOL_REQUEST]>>>\n${VCP}`;

const HALF =
  '<tool_call>[{"name":"read","arguments":{"path":"a"}},{"name":"read","arguments":{}}]</tool_call>';

const rows: {
  name: string;
  protocol: string;
  deltas: Delta[];
  options?: ParserRunOptions;
  expect: string[];
}[] = [
  {
    name: 'gathers what came at once, each argument for itself',
    protocol: 'vcp',
    deltas: [`a${VCP.slice(0, HALFWAY)}`, VCP.slice(HALFWAY)],
    expect: [
      'text "a"',
      '0 starts x',
      '0 shows a: "on"',
      '0 shows a: "e"',
      '0 shows b: "two"',
      `0 is x {"a":"one","b":"two"}, c1 1-${VCP.length + 1}`,
    ],
  },
  {
    name: 'keeps text and reasoning in their order, wherever the reasoning is',
    protocol: 'vcp',
    deltas: ['x<think>b</think>y', { think: 'c' }, { think: '' }, '', 'z'],
    expect: ['text "x"', 'reasoning "b"', 'text "y"', 'reasoning "c"', 'text "z"'],
  },
  {
    name: 'warns once of native calls if a text protocol is set',
    protocol: 'vcp',
    deltas: ['ab', { index: 0, id: 'k', name: 'x' }, 'c', { index: 0, arguments: '{}' }],
    expect: ['text "ab"', 'warns native-call 2-2', 'text "c"'],
  },
  {
    name: 'runs 32 calls, rejects the next, and says nothing of the others',
    protocol: 'hermes',
    deltas: [CLOSED.repeat(35)],
    expect: [
      ...Array.from({ length: 32 }, (_, index) => [
        `${index} starts`,
        `${index} shows : "{\\"name\\":\\"b\\"}"`,
        `${index} is b {}, c${index + 1} ${index * 35}-${index * 35 + 35}`,
      ]).flat(),
      '32 starts',
      '32 is not a call b c33: too-many-calls 1120-1155',
    ],
  },
  {
    name: 'doubts every call after an unclosed one',
    protocol: 'hermes',
    deltas: [UNCLOSED + CLOSED, CLOSED],
    expect: [
      '0 starts',
      `0 ${SHOWN}`,
      '0 is not a call c1: invalid-json 0-56',
      '1 starts',
      '1 shows : "{\\"name\\":\\"b\\"}"',
      '1 is b {}, c2 56-91, repaired, after-unclosed 56-69',
      '2 starts',
      '2 shows : "{\\"name\\":\\"b\\"}"',
      '2 is b {}, c3 91-126, repaired, after-unclosed 56-69',
    ],
  },
  {
    name: 'reads again four times, and then treats the next block as part of the last',
    protocol: 'hermes',
    deltas: [UNCLOSED.repeat(6) + CLOSED],
    expect: [
      ...[0, 1, 2, 3].flatMap((index) => [
        `${index} starts`,
        `${index} ${SHOWN}`,
        `${index} is not a call c${index + 1}: invalid-json ${index * 56}-${index * 56 + 56}`,
      ]),
      '4 starts',
      `4 ${SHOWN}`,
      '4 is not a call c5: invalid-json 224-336',
      '5 starts',
      '5 shows : "{\\"name\\":\\"b\\"}"',
      '5 is b {}, c6 336-371, repaired, after-unclosed 224-237',
    ],
  },
  {
    name: 'reads again what a value has swallowed that never ends',
    protocol: 'vcp',
    deltas: [`${LABELLED}\n${VCP}`],
    expect: [
      '0 starts x',
      '0 shows a: "one"',
      `0 shows b: ${JSON.stringify(SWALLOWED)}`,
      `0 is not a call x c1: unclosed-value 0-${LABELLED.length}`,
      'text "\\n"',
      '1 starts x',
      '1 shows a: "one"',
      '1 shows b: "two"',
      `1 is x {"a":"one","b":"two"}, c2 ${LABELLED.length + 1}-${LABELLED.length + 1 + VCP.length}, repaired, after-unclosed ${LABELLED.length}-${LABELLED.length + 1 + VCP.length}`,
    ],
  },
  ...(['length', 'cut'] as const).map((reason) => ({
    name: `reads nothing again in a reply that was cut (${reason})`,
    protocol: 'vcp',
    deltas: [`${LABELLED}\n${VCP}`],
    options: { reason },
    expect: [
      '0 starts x',
      '0 shows a: "one"',
      `0 shows b: ${JSON.stringify(SWALLOWED)}`,
      `0 is not a call x c1: unfinished 0-${LABELLED.length + 1 + VCP.length}`,
    ],
  })),
  {
    name: 'splits a recovered block of several calls after each of them',
    protocol: 'xml',
    deltas: [
      'Hm <tool_call>[{"name":"read","arguments":{"path":"a"}},{"name":"Read","arguments":{"path":"b",}}]</tool_call>.',
    ],
    options: { tools: [readTool], recover: true },
    expect: [
      'text "Hm "',
      '0 starts read',
      '0 is read {"path":"a"}, c1 3-56, recovered, recovered 3-56',
      '1 starts read',
      '1 is read {"path":"b"}, c2 56-110, recovered, recovered 56-110, repaired-json 56-110, name 56-110',
      'text "."',
    ],
  },
  {
    name: 'recovers a block only if all of its calls fit',
    protocol: 'xml',
    deltas: [HALF],
    options: { tools: [readTool], recover: true },
    expect: [`text ${JSON.stringify(HALF)}`, 'warns foreign-block 0-96'],
  },
  {
    name: 'says why a tool is not there',
    protocol: 'hermes',
    deltas: [CLOSED],
    options: { tools: [readTool], whyUnavailable: (name) => (name === 'b' ? 'It is off.' : undefined) },
    expect: ['0 starts', '0 shows : "{\\"name\\":\\"b\\"}"', '0 is not a call b c1: unavailable-tool 0-35'],
  },
  {
    name: 'sees the lines of a fence, whatever tools are called',
    protocol: 'json',
    deltas: [`\n\`\`\`\n/{'\n\`\`\`\n{"tool_calls":[{"name":"read","arguments":{"path":"a"}}]}`],
    options: { tools: [readTool, { ...readTool, name: '\n"' }] },
    expect: ['text "\\n```\\n/{\'\\n```\\n"', '0 starts', '0 is read {"path":"a"}, c1 13-70'],
  },
];

describe('TextParser', () => {
  it('reads a long text that comes at once as it reads a short one', () => {
    const before = 'a'.repeat(4_090);
    const reply = `${before}${CLOSED}${'b'.repeat(9_000)}${CLOSED}`;
    const { text, calls } = parseText(findProtocol('hermes')!, [reply]);
    assert.equal(text, before + 'b'.repeat(9_000));
    assert.deepEqual(
      calls.map(({ start, end }) => reply.slice(start, end)),
      [CLOSED, CLOSED],
    );
  });

  it('says what to do instead of calls in another format', () => {
    const parser = findProtocol('vcp')!.createParser({ ids: new CallIds() });
    const said = parser.push({ type: 'tool-call', index: 0, id: 'k', name: 'x' });
    const text =
      'The model used the native tool interface although a text protocol is set; that call was not run.';
    assert.deepEqual(said, [
      {
        type: 'warning',
        diagnostic: {
          code: 'native-call',
          level: 'warning',
          message: text,
          hint: 'Write the call as text in the form shown.',
          start: 0,
          end: 0,
        },
      },
    ]);
  });

  it('says what to do without a tool that is off', () => {
    const options = { tools: [readTool], ids: new CallIds(), whyUnavailable: () => 'It is off.' };
    const parser = findProtocol('hermes')!.createParser(options);
    const events = [...parser.push({ type: 'text', text: CLOSED }), ...parser.end('stop')];
    const said = events.flatMap((event) => (event.type === 'malformed' ? [event.malformed.diagnostic] : []));
    assert.deepEqual(
      said.map(({ message, hint }) => `${message} ${hint}`),
      ['It is off. Do without it, or ask the user to switch it on.'],
    );
  });

  for (const { name, protocol, deltas, options, expect } of rows) {
    it(name, () => {
      assert.deepEqual(eventLines(findProtocol(protocol)!, deltas, options), expect);
    });
  }
});

describe('Trial', () => {
  it('counts what is reported to it without any effect', () => {
    const trial = new Trial(new Cursor());
    assert.equal(trial.isClean, false);
    assert.deepEqual([trial.startCall(), trial.startCall(), trial.callCount], [0, 1, 2]);
    trial.endCall({ index: 0, name: 'read', arguments: {}, start: 0, end: 4 });
    assert.equal(trial.isClean, true);
    assert.deepEqual(
      [trial.putBackSwallowed(), trial.recover(), trial.endReasoning(), trial.closers],
      [false, false, false, []],
    );
    trial.rejectCall();
    assert.deepEqual([trial.isClean, trial.calls.length], [false, 1]);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelDelta, ToolCallDelta } from '../../../../src/core/words/model';
import { RecordedStream } from '../../../../src/models/recorded-reply';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { findProtocol } from '../../../../src/protocols';
import { native } from '../../../../src/protocols/native/native';
import { readTool } from '../../../support/protocols/foreign-forms';
import { parseDeltas, splitText } from '../../../support/protocols/run-parser';
import {
  parserEvents,
  eventLines,
  type Delta,
  type ParserRunOptions,
} from '../../../support/protocols/parser-events';

function piece(fields: Omit<ToolCallDelta, 'type'>): ModelDelta {
  return { type: 'tool-call', ...fields };
}

function outcome(
  deltas: readonly ModelDelta[],
  reason: 'stop' | 'length' | 'cut' = 'stop',
  tools?: readonly ToolSpec[],
): string {
  const parsed = parseDeltas(native, deltas, tools, { reason });
  return [
    ...parsed.calls.map(
      (call) =>
        `${call.name} ${JSON.stringify(call.arguments)}${call.mark === 'clean' ? '' : ` ${call.mark}`}` +
        (call.notes.includes('guessed-call') ? ' guessed' : ''),
    ),
    ...parsed.errors.map((error) => `rejects ${error.name} ${error.code}`),
  ].join(' | ');
}

const rows: { name: string; deltas: ModelDelta[]; reason?: 'length' | 'cut'; expect: string }[] = [
  {
    name: 'joins the pieces of one call',
    deltas: [
      piece({ index: 0, id: 'a', name: 'read', arguments: '{"pa' }),
      piece({ index: 0, arguments: 'th":"x"}' }),
    ],
    expect: 'read {"path":"x"}',
  },
  {
    name: 'keeps calls apart that all say index 0 but have ids',
    deltas: [
      piece({ index: 0, id: 'a', name: 'read', arguments: '{"n":1}' }),
      piece({ index: 0, id: 'b', name: 'read', arguments: '{"n":2}' }),
    ],
    expect: 'read {"n":1} | read {"n":2}',
  },
  {
    name: 'continues the last call when neither index nor id come',
    deltas: [piece({ id: 'a', name: 'read' }), piece({ arguments: '{"n"' }), piece({ arguments: ':1}' })],
    expect: 'read {"n":1}',
  },
  {
    name: 'interleaves by index',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{"n":' }),
      piece({ index: 1, id: 'b', name: 'y', arguments: '{"m":' }),
      piece({ index: 0, arguments: '1}' }),
      piece({ index: 1, arguments: '2}' }),
    ],
    expect: 'x {"n":1} | y {"m":2}',
  },
  {
    name: 'starts a new call when another name comes after complete arguments',
    deltas: [
      piece({ index: 0, name: 'x', arguments: '{"n":1}' }),
      piece({ index: 0, name: 'y', arguments: '{"n":2}' }),
    ],
    expect: 'x {"n":1} | y {"n":2}',
  },
  {
    name: 'ignores a name that is repeated on every piece',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{"n"' }),
      piece({ index: 0, id: 'a', name: 'x', arguments: ':1}' }),
    ],
    expect: 'x {"n":1}',
  },
  {
    name: 'takes a name that comes after the arguments',
    deltas: [piece({ index: 0, id: 'a', arguments: '{}' }), piece({ index: 0, name: 'late' })],
    expect: 'late {}',
  },
  {
    name: 'takes the first name that is not blank',
    deltas: [
      piece({ index: 0, id: 'a', name: '', arguments: '{"n"' }),
      piece({ index: 0, name: ' ', arguments: ':1}' }),
      piece({ index: 0, name: 'late' }),
      piece({ index: 0, name: '\n' }),
    ],
    expect: 'late {"n":1}',
  },
  {
    name: 'rejects a call whose name is empty or blank',
    deltas: [
      piece({ index: 0, id: 'a', name: '', arguments: '{}' }),
      piece({ index: 1, id: 'b', name: ' ', arguments: '{}' }),
      piece({ index: 2, id: 'c', name: 'x', arguments: '{}' }),
    ],
    expect: 'x {} | rejects  unknown-tool | rejects  unknown-tool',
  },
  {
    name: 'continues the only call when the index changes without an id',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{"n"' }),
      piece({ index: 1, arguments: ':1}' }),
    ],
    expect: 'x {"n":1} guessed',
  },
  {
    name: 'continues the only call that is open when the index changes without an id',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{}' }),
      piece({ index: 1, id: 'b', name: 'y', arguments: '{"n"' }),
      piece({ index: 7, arguments: ':1}' }),
    ],
    expect: 'x {} | y {"n":1} guessed',
  },
  {
    name: 'rejects arguments that two open calls may own',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x' }),
      piece({ index: 1, id: 'b', name: 'y' }),
      piece({ index: 7, arguments: '{"n":1}' }),
    ],
    expect: 'x {} | y {} | rejects  orphan-arguments',
  },
  {
    name: 'keeps a complete call when more arguments come under another index',
    deltas: [
      piece({ index: 0, id: 'a', name: 'x', arguments: '{}' }),
      piece({ index: 1, arguments: ' ' }),
      piece({ index: 1, arguments: '{"n":1}' }),
    ],
    expect: 'x {} | rejects  orphan-arguments',
  },
  {
    name: 'starts a new call when another name comes before any arguments',
    deltas: [
      piece({ index: 0, name: 'a' }),
      piece({ index: 0, name: 'b' }),
      piece({ index: 0, arguments: '{"n":1}' }),
    ],
    expect: 'a {} | b {"n":1}',
  },
  {
    name: 'keeps to the first name while the arguments come',
    deltas: [
      piece({ index: 0, name: 'a', arguments: '{"n"' }),
      piece({ index: 0, name: 'b', arguments: ':1}' }),
    ],
    expect: 'a {"n":1}',
  },
  {
    name: 'reads empty arguments as no arguments',
    deltas: [piece({ index: 0, id: 'a', name: 'x' })],
    expect: 'x {}',
  },
  {
    name: 'decodes arguments encoded twice',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '"{\\"n\\":1}"' })],
    expect: 'x {"n":1} repaired',
  },
  {
    name: 'reads the name out of the id',
    deltas: [piece({ index: 0, id: 'functions.read_file:3', arguments: '{}' })],
    expect: 'read_file {}',
  },
  {
    name: "cuts a model's own markers off the name",
    deltas: [piece({ index: 0, id: 'a', name: 'x<|channel|>commentary', arguments: '{}' })],
    expect: 'x {}',
  },
  {
    name: 'rejects arguments that end in the middle, whatever the reason says',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{"content":"half' })],
    expect: 'rejects x unfinished',
  },
  {
    name: 'repairs what has one reading, and marks the call',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: "{'path': 'C:\\\\dir', ok: True,}" })],
    expect: 'x {"path":"C:\\\\dir","ok":true} repaired',
  },
  {
    name: 'rejects a duplicate key',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{"n":1,"n":2}' })],
    expect: 'rejects x invalid-json',
  },
  {
    name: 'rejects arguments that are no JSON',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{"n": oops}' })],
    expect: 'rejects x invalid-json',
  },
  {
    name: 'rejects complete calls of a stream that broke off',
    deltas: [piece({ index: 0, id: 'a', name: 'x', arguments: '{}' })],
    reason: 'cut',
    expect: 'rejects x unfinished',
  },
];

const NAMED: readonly ToolSpec[] = ['read', 'read_file', 'list_things', 'tools'].map((name) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { path: { type: 'string' }, n: { type: 'integer' } } },
}));
const A = '{"path":"a"}';
const B = '{"path":"b"}';

/** Shapes of calls that servers stream, for the tools above. */
const shapes: { name: string; pieces: Omit<ToolCallDelta, 'type'>[]; expect: string }[] = [
  {
    name: 'an empty object before the arguments',
    pieces: [
      { index: 0, id: 'a', name: 'read', arguments: '{}' },
      { index: 0, arguments: '{"path":' },
      { index: 0, arguments: '"a"}' },
    ],
    expect: `read ${A}`,
  },
  {
    name: 'null before the arguments',
    pieces: [
      { index: 0, id: 'a', name: 'read', arguments: 'null' },
      { index: 0, arguments: A },
    ],
    expect: `read ${A}`,
  },
  ...['null', '{}', '', '""', '[]', ' { } '].map((args) => ({
    name: `${JSON.stringify(args)} for a tool without arguments`,
    pieces: [{ index: 0, id: 'a', name: 'list_things', arguments: args }],
    expect: args === '""' ? 'list_things {} repaired' : 'list_things {}',
  })),
  ...[[], ['', ''], ['a', 'a'], ['a', 'b'], ['a', '']].flatMap((ids) =>
    [
      [0, 0],
      [undefined, undefined],
      [0, 1],
    ].map((slots) => ({
      name: `two calls with the ids ${JSON.stringify(ids)} and the indexes ${JSON.stringify(slots)}`,
      pieces: [A, B].map((args, at) => ({
        ...(slots[at] !== undefined && { index: slots[at] }),
        ...(ids[at] !== undefined && { id: ids[at] }),
        name: 'read',
        arguments: args,
      })),
      expect: `read ${A} | read ${B}`,
    })),
  ),
  {
    name: 'a second object without a name or an id',
    pieces: [{ index: 0, name: 'read', arguments: A }, { arguments: '{"path":' }, { arguments: '"b"}' }],
    expect: `read ${A} | read ${B}`,
  },
  {
    name: 'calls without arguments that have only names',
    pieces: [
      { index: 0, name: 'read' },
      { index: 0, name: 'list_things' },
    ],
    expect: 'read {} | list_things {}',
  },
  {
    name: 'a name in pieces, with the id in each',
    pieces: [
      { index: 0, id: 'a', name: 'list_' },
      { index: 0, id: 'a', name: 'things', arguments: '{' },
      { index: 0, id: 'a', arguments: '}' },
    ],
    expect: 'list_things {}',
  },
  {
    name: 'a name in pieces without an id',
    pieces: [
      { index: 0, name: 'list' },
      { index: 0, name: '_th' },
      { index: 0, name: 'ings', arguments: '{}' },
    ],
    expect: 'list_things {}',
  },
  {
    name: 'a name that grows',
    pieces: [
      { index: 0, id: 'a', name: 'list_' },
      { index: 0, id: 'a', name: 'list_things' },
      { index: 0, id: 'a', arguments: '{}' },
    ],
    expect: 'list_things {}',
  },
  {
    name: 'a name whose beginning is a tool, too',
    pieces: [
      { index: 0, id: 'a', name: 'read' },
      { index: 0, id: 'a', name: '_file', arguments: A },
    ],
    expect: `read_file ${A}`,
  },
  {
    name: 'arguments that come again with more fields',
    pieces: [
      { index: 0, id: 'a', name: 'read', arguments: '{"path":"a"}' },
      { index: 0, id: 'a', name: 'read', arguments: '{"path":"a.txt","n":1}' },
    ],
    expect: 'read {"path":"a.txt","n":1}',
  },
  ...[
    'functions.read_file',
    'default_api:read_file',
    'default_api.read_file',
    'functions.read_file:0',
    'tools/read_file',
  ].map((name) => ({
    name: `the name ${name}`,
    pieces: [{ index: 0, id: 'a', name, arguments: A }],
    expect: `read_file ${A}`,
  })),
  {
    name: 'a name that only looks like one with a name space',
    pieces: [{ index: 0, id: 'a', name: 'tools', arguments: A }],
    expect: `tools ${A}`,
  },
  {
    name: 'a name space before no tool',
    pieces: [{ index: 0, id: 'a', name: 'functions.other', arguments: A }],
    expect: 'rejects functions.other unknown-tool',
  },
];

const LEAK = '<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>';

const stories: { name: string; deltas: Delta[]; options?: ParserRunOptions; expect: string[] }[] = [
  {
    name: 'counts text and arguments for the spans, in the order of arrival',
    deltas: [
      'Hi.',
      { think: '' },
      { think: 'hm' },
      { index: 0, id: 'a', name: 'x' },
      ' ',
      { index: 0, arguments: '{"n":' },
      'more',
      { index: 0, arguments: '1}' },
      { index: 1, id: 'b', name: 'y', arguments: '{}' },
    ],
    expect: [
      'text "Hi."',
      'reasoning "hm"',
      '0 starts x',
      'text " "',
      'text "more"',
      '0 shows n: "1"',
      '1 starts y',
      '0 is x {"n":1}, a 4-15',
      '1 is y {}, b 15-17',
    ],
  },
  {
    name: 'leaves a fenced call in the text alone',
    deltas: [{ index: 0, id: 'a', name: 'x', arguments: '{}' }, '```\n', LEAK],
    options: { tools: [readTool] },
    expect: [
      '0 starts x',
      `text ${JSON.stringify(`\`\`\`\n${LEAK}`)}`,
      '0 is not a call x a: unknown-tool 0-2',
    ],
  },
  {
    name: 'says where arguments came that belong to no call, once and behind all calls',
    deltas: ['ab', { arguments: '{"n":1}' }, { index: 3, arguments: ' ' }, { index: 3, arguments: '{}' }],
    expect: ['text "ab"', '0 is not a call c1: orphan-arguments 12-12'],
  },
  {
    name: 'takes blanks without a call for nothing',
    deltas: [{ index: 3, arguments: ' \n' }],
    expect: [],
  },
  {
    name: 'takes the id that comes later',
    deltas: [
      { index: 0, name: 'x', arguments: '{' },
      { index: 0, id: 'late', arguments: '}' },
    ],
    expect: ['0 starts x', '0 is x {}, late 0-2'],
  },
  {
    name: 'keeps to the first id and the first name',
    deltas: [
      { id: 'a', name: 'x', arguments: '{' },
      { id: 'a', name: 'y', arguments: '}' },
    ],
    expect: ['0 starts x', '0 is x {}, a 0-2'],
  },
  {
    name: 'finds a call by its id under whatever number',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: '{' },
      { index: 1, id: 'b', name: 'y', arguments: '{' },
      { index: 1, id: 'a', arguments: '}' },
      { index: 0, id: 'b', arguments: '}' },
    ],
    expect: ['0 starts x', '1 starts y', '0 is x {}, a 0-3', '1 is y {}, b 1-4'],
  },
  {
    name: 'goes on with the last call of a number that two calls have',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: '{}' },
      { index: 0, id: 'b', name: 'y' },
      { index: 0, arguments: '{"n":1}' },
    ],
    expect: ['0 starts x', '1 starts y', '1 shows n: "1"', '0 is x {}, a 0-2', '1 is y {"n":1}, b 2-9'],
  },
  {
    name: 'starts no call over a repeated name whose arguments are complete',
    deltas: [
      { index: 0, name: 'x', arguments: '{}' },
      { index: 0, name: 'x' },
    ],
    expect: ['0 starts x', '0 is x {}, c1 0-2'],
  },
  {
    name: 'runs 32 calls, rejects the next and passes over the others',
    deltas: Array.from({ length: 35 }, (_, index) => ({
      index,
      id: `k${index}`,
      name: 'x',
      arguments: '{"n":1}',
    })),
    expect: [
      ...Array.from({ length: 33 }, (_, index) => [`${index} starts x`, `${index} shows n: "1"`]).flat(),
      ...Array.from(
        { length: 32 },
        (_, index) => `${index} is x {"n":1}, k${index} ${index * 7}-${index * 7 + 7}`,
      ),
      '32 is not a call x k32: too-many-calls 224-231',
    ],
  },
  {
    name: 'blames the output limit for arguments that cannot be read',
    deltas: [{ id: 'a', name: 'x', arguments: '{"n": oops}' }],
    options: { reason: 'length' },
    expect: ['0 starts x', '0 shows n: "oops"', '0 is not a call x a: unfinished 0-11'],
  },
  {
    name: 'marks what had to be repaired and what was guessed',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: '{"n"' },
      { index: 4, arguments: ':1,}' },
    ],
    expect: [
      '0 starts x',
      '0 shows n: "1"',
      '0 is x {"n":1}, a 0-8, repaired, repaired-json 0-8, guessed-call 0-8',
    ],
  },
  {
    name: 'cannot read arguments that something follows, in the same piece or a later one',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: '{}x' },
      { index: 1, id: 'b', name: 'y', arguments: '{}' },
      { index: 1, arguments: ' x' },
      { index: 2, id: 'c', name: 'z', arguments: '{}' },
      { index: 2, arguments: ' ' },
    ],
    expect: [
      '0 starts x',
      '1 starts y',
      '2 starts z',
      '0 is not a call x a: invalid-json 0-3',
      '1 is not a call y b: invalid-json 3-7',
      '2 is z {}, c 7-10',
    ],
  },
  {
    name: 'reads blank arguments, in one layer of text or two, as no arguments',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: ' \n' },
      { index: 1, id: 'b', name: 'y', arguments: '" "' },
    ],
    expect: [
      '0 starts x',
      '1 starts y',
      '1 shows : " "',
      '0 is x {}, a 0-2',
      '1 is y {}, b 2-5, repaired, repaired-json 2-5',
    ],
  },
  {
    name: 'repairs arguments encoded twice, and refuses those that are not an object',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: '"{n:1}"' },
      { index: 1, id: 'b', name: 'y', arguments: '"[1]"' },
      { index: 2, id: 'c', name: 'z', arguments: '"{"' },
    ],
    expect: [
      '0 starts x',
      '0 shows : "{n:1}"',
      '1 starts y',
      '1 shows : "[1]"',
      '2 starts z',
      '2 shows : "{"',
      '0 is x {"n":1}, a 0-7, repaired, repaired-json 0-7, repaired-json 0-7',
      '1 is not a call y b: invalid-json 7-12',
      '2 is not a call z c: invalid-json 12-15',
    ],
  },
  {
    name: "cuts off what servers leave behind a name, and takes Kimi's out of the id",
    deltas: [
      { index: 0, id: 'a', name: ' x </arg_value>\n', arguments: '{}' },
      { index: 1, id: 'functions.get-it:12', arguments: '{}' },
      { index: 2, id: 'xfunctions.get:1', arguments: '{}' },
      { index: 3, id: 'functions.get:1x', arguments: '{}' },
      { index: 4, id: 'b', name: 'y<z', arguments: '{}' },
    ],
    expect: [
      '0 starts  x </arg_value>',
      '1 starts',
      '2 starts',
      '3 starts',
      '4 starts y<z',
      '0 is x {}, a 0-2',
      '1 is get-it {}, functions.get-it:12 2-4',
      '2 is not a call xfunctions.get:1: unknown-tool 4-6',
      '3 is not a call functions.get:1x: unknown-tool 6-8',
      '4 is y<z {}, b 8-10',
    ],
  },
  {
    name: 'holds back text after a recovered call until the reply ends',
    deltas: [LEAK, 'and', ' so'],
    options: { tools: [readTool], recover: true },
    expect: [
      '0 starts read',
      '0 is read {"path":"a"}, c1 0-63, recovered, recovered 0-63',
      'text "and"',
      'text " so"',
    ],
  },
  {
    name: 'gives a recovered call back as text when a native one comes, in its place',
    deltas: [
      'Look. ',
      `${LEAK} then `,
      `${LEAK}!`,
      { index: 0, id: 'a', name: 'read', arguments: '{"path":"b"}' },
      'Done.',
    ],
    options: { tools: [readTool], recover: true },
    expect: [
      'text "Look. "',
      `text ${JSON.stringify(LEAK)}`,
      'text " then "',
      `text ${JSON.stringify(LEAK)}`,
      'text "!"',
      '0 starts read',
      '0 shows path: "b"',
      'text "Done."',
      '0 is read {"path":"b"}, a 139-151',
    ],
  },
  {
    name: 'recovers nothing behind a native call',
    deltas: [{ index: 0, id: 'a', name: 'read', arguments: '{"path":"b"}' }, 'Look. ', LEAK],
    options: { tools: [readTool], recover: true },
    expect: [
      '0 starts read',
      '0 shows path: "b"',
      'text "Look. "',
      `text ${JSON.stringify(LEAK)}`,
      'warns foreign-block 18-81',
      '0 is read {"path":"b"}, a 0-12',
    ],
  },
  {
    name: 'keeps a warning that came between recovered text and a native call',
    deltas: [
      LEAK,
      '<think>Hm.</think>',
      '<tool_call>{"name":"nope","arguments":{}}</tool_call>',
      { index: 0, id: 'a', name: 'read', arguments: '{"path":"b"}' },
    ],
    options: { tools: [readTool], recover: true },
    expect: [
      `text ${JSON.stringify(LEAK)}`,
      'reasoning "Hm."',
      'text "<tool_call>{\\"name\\":\\"nope\\",\\"arguments\\":{}}</tool_call>"',
      'warns foreign-block 81-134',
      '0 starts read',
      '0 shows path: "b"',
      '0 is read {"path":"b"}, a 134-146',
    ],
  },
  {
    name: 'says why a tool is not there',
    deltas: [{ index: 0, id: 'a', name: 'write', arguments: '{}' }],
    options: { tools: [readTool], whyUnavailable: (name) => (name === 'write' ? 'It is off.' : undefined) },
    expect: ['0 starts write', '0 is not a call write a: unavailable-tool 0-2'],
  },
];

/** The message and the hint of everything reported of calls. */
const told: { name: string; deltas: Delta[]; options?: ParserRunOptions; expect: string[] }[] = [
  {
    name: 'what was repaired',
    deltas: [{ id: 'a', name: 'x', arguments: '{"n":1,}' }],
    expect: ['Repaired JSON: left out a comma before a closing bracket. '],
  },
  {
    name: 'that arguments were decoded twice',
    deltas: [{ id: 'a', name: 'x', arguments: '"{n:1}"' }],
    expect: [
      'Repaired JSON: decoded the arguments twice. ',
      'Repaired JSON: read the bare word n as a key. ',
    ],
  },
  {
    name: 'that blank text was decoded',
    deltas: [{ id: 'a', name: 'x', arguments: '""' }],
    expect: ['Repaired JSON: decoded the arguments twice. '],
  },
  {
    name: 'that a piece was guessed to belong to the call',
    deltas: [
      { index: 0, id: 'a', name: 'x', arguments: '{"n"' },
      { index: 4, arguments: ':1}' },
    ],
    expect: ['Arguments had another index than their call; they were assigned to it. '],
  },
  {
    name: 'that arguments are no object',
    deltas: [{ id: 'a', name: 'x', arguments: '[1, 2]' }],
    expect: [
      'The arguments are not valid JSON: not an object. Send the call again with the arguments as one JSON object.',
    ],
  },
  {
    name: 'why arguments cannot be read',
    deltas: [{ id: 'a', name: 'x', arguments: '{"n": oops}' }],
    expect: [
      'The arguments are not valid JSON: there is no value at "oops}". Send the call again with the arguments as one JSON object.',
    ],
  },
  {
    name: 'why the text that was encoded cannot be read',
    deltas: [{ id: 'a', name: 'x', arguments: '"{"' }],
    expect: [
      'The arguments are not valid JSON: it ends in the middle. Send the call again with the arguments as one JSON object.',
    ],
  },
  {
    name: 'that arguments end in the middle',
    deltas: [{ id: 'a', name: 'x', arguments: '{"n": "half' }],
    expect: [
      'The arguments end in the middle, probably at the output limit. Send the call again; write long files in several steps.',
    ],
  },
  {
    name: 'that the reply broke off',
    deltas: [{ id: 'a', name: 'x', arguments: '{}' }],
    options: { reason: 'cut' },
    expect: ['The reply broke off before this call could be trusted. Send the call again.'],
  },
  {
    name: 'that arguments belong to no call',
    deltas: [{ arguments: '{}' }],
    expect: ['Arguments arrived that belong to no call. Send the call again.'],
  },
];

describe('what is reported of native calls', () => {
  for (const { name, deltas, options, expect } of told) {
    it(name, () => {
      const said = parserEvents(native, deltas, options).flatMap((event) => {
        if (event.type === 'call-end') return event.call.notes;
        return event.type === 'malformed' ? [event.malformed.diagnostic] : [];
      });
      assert.deepEqual(
        said.map(({ message, hint }) => `${message} ${hint}`),
        expect,
      );
    });
  }

  it('gives back what came with a call, whether it runs or not', () => {
    const events = parserEvents(native, [
      { index: 0, id: 'a', name: 'x', arguments: '{', extra: { google: 'one', other: 1 } },
      { index: 0, arguments: '}', extra: { google: 'two' } },
      { index: 1, id: 'b', name: 'y', arguments: '[', extra: { google: 'three' } },
      { index: 2, id: 'c', name: 'z', arguments: '{}' },
      { index: 3, id: 'd', name: 'z', arguments: '[' },
    ]);
    const extras = events.flatMap((event) => {
      if (event.type === 'call-end') return [[event.call.id, event.call.name, event.call.extra]];
      return event.type === 'malformed' ? [[event.malformed.id, event.malformed.extra]] : [];
    });
    assert.deepEqual(extras, [
      ['a', 'x', { google: 'two', other: 1 }],
      ['b', { google: 'three' }],
      ['c', 'z', undefined],
      ['d', undefined],
    ]);
    const keyed = events.map((event) =>
      event.type === 'call-end'
        ? 'extra' in event.call
        : event.type === 'malformed' && 'extra' in event.malformed,
    );
    assert.equal(keyed.filter(Boolean).length, 2);
  });

  it('lets no empty piece move a call', () => {
    const deltas: Delta[] = [{ index: 0, id: 'a', name: 'x' }, 'and', { index: 0, arguments: '' }];
    assert.deepEqual(eventLines(native, deltas), ['0 starts x', 'text "and"', '0 is x {}, a 0-0']);
  });
});

describe('native', () => {
  for (const { name, deltas, options, expect } of stories) {
    it(name, () => {
      assert.deepEqual(eventLines(findProtocol('native')!, deltas, options), expect);
    });
  }

  for (const { name, deltas, reason, expect } of rows) {
    it(name, () => {
      assert.equal(outcome(deltas, reason), expect);
    });
  }

  for (const { name, pieces, expect } of shapes) {
    it(`reads ${name}`, () => assert.equal(outcome(pieces.map(piece), 'stop', NAMED), expect));
  }

  it('reads two calls at one index without ids, however the second is cut', () => {
    const paths = fc.tuple(fc.string(), fc.string()).filter(([one, other]) => one !== other);
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 9 }), ([one, other], size) => {
        const second = splitText(JSON.stringify({ path: other }), size);
        const deltas = [
          piece({ index: 0, name: 'read', arguments: JSON.stringify({ path: one }) }),
          ...second.map((part, at) =>
            piece({ index: 0, ...(at === 0 && { name: 'read' }), arguments: part }),
          ),
        ];
        assert.deepEqual(
          parseDeltas(native, deltas, NAMED).calls.map((call) => call.arguments),
          [{ path: one }, { path: other }],
        );
      }),
    );
  });

  it('reports the same for arguments that are not JSON, however they are cut', () => {
    for (const text of ['{"a":1}}', '{"a":1} x', '{"a":', '[1]', '{]}', '"a"b']) {
      const head = piece({ index: 0, id: 'a', name: 'x' });
      const read = (size: number): string =>
        outcome([head, ...splitText(text, size).map((part) => piece({ index: 0, arguments: part }))]);
      for (let size = 1; size < text.length; size++) assert.equal(read(size), read(text.length), text);
    }
  });

  it('reads the same calls however the arguments are cut', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 5 }), (args, size) => {
        // SAFETY: JSON text is parsed right back.
        const text = JSON.stringify(args);
        fc.pre(!/__proto__|constructor|prototype/.test(text));
        const head = piece({ index: 0, id: 'a', name: 'x' });
        const parsed = parseDeltas(native, [
          head,
          ...splitText(text, size).map((part) => piece({ index: 0, arguments: part })),
        ]);
        assert.deepEqual(
          parsed.calls.map((call) => call.arguments),
          [JSON.parse(text)],
        );
        assert.deepEqual(
          parsed.calls.map(({ start, end }) => [start, end]),
          [[0, text.length]],
        );
      }),
    );
  });

  it('shows the text of string arguments as they stream', () => {
    const parser = native.createParser({ ids: { take: (id = 'x') => id } });
    const text = JSON.stringify({ path: 'a.txt', content: 'one\n"two" \u00e9', edits: [{ old: 'x' }] });
    const shown = new Map<string, string>();
    for (const part of [
      piece({ index: 0, id: 'a', name: 'w' }),
      ...splitText(text, 1).map((each) => piece({ index: 0, arguments: each })),
    ]) {
      for (const event of parser.push(part)) {
        if (event.type === 'call-delta') shown.set(event.key, (shown.get(event.key) ?? '') + event.text);
      }
    }
    assert.deepEqual(Object.fromEntries(shown), {
      path: 'a.txt',
      content: 'one\n"two" é',
      edits: '[{"old":"x"}]',
    });
  });

  it('reads recorded data lines cut anywhere', () => {
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const lines = [
      ': comment\r\n\r\n',
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'x', arguments: { n: 1 } } }],
      }),
      chunk({ reasoning_content: 'hm' }),
      chunk({}, 'tool_calls'),
      'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n',
      'data: [DONE]\n\n',
    ].join('');
    const read = (size: number): ModelDelta[] => {
      const stream = new RecordedStream();
      return [...splitText(lines, size).flatMap((text) => stream.push(text)), ...stream.end()];
    };
    const whole = read(lines.length);
    assert.deepEqual(
      whole.map(({ type }) => type),
      ['text', 'tool-call', 'reasoning', 'end', 'usage'],
    );
    for (let size = 1; size < 20; size++) assert.deepEqual(read(size), whole);
    assert.equal(outcome(whole), 'x {"n":1}');
  });
});

import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/reply/call-ids';
import type { ParserOptions } from '../../../src/core/words/protocol';
import type { ToolSpec } from '../../../src/core/words/tool';
import { findProtocol } from '../../../src/protocols';

const TOOLS: ToolSpec[] = [
  {
    name: 'edit',
    qualifiedName: 'files_editFile',
    vcpCommand: 'change',
    description: 'Changes a file.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { old: { type: 'string' }, new: { type: 'string' }, count: { type: 'integer' } },
            required: ['old', 'new'],
            additionalProperties: false,
          },
        },
        lines: { type: 'array' },
        options: { type: 'object', properties: { deep: { type: 'boolean' } } },
        count: { type: 'integer' },
        ratio: { type: ['number', 'null'] },
        is_dry: { type: 'boolean' },
        side: { enum: ['left', 7] },
        any: {},
        either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  {
    name: 'ping',
    description: 'Takes nothing.',
    parameters: { type: 'object', additionalProperties: false },
  },
  { name: 'get_it', description: 'One of two.', parameters: { type: 'object' } },
  { name: 'get-it', description: 'The other.', parameters: { type: 'object' } },
  {
    name: 'find',
    description: 'Has names that are other names of one another.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, glob: { type: 'string' } },
      additionalProperties: false,
    },
  },
];

/** What became of the call, and all that is said about it. */
function outcome(name: string, args: string, options: Partial<ParserOptions> = {}): string {
  const parser = findProtocol('json')!.createParser({ tools: TOOLS, ids: new CallIds(), ...options });
  const reply = `{"tool_calls":[{"name":${JSON.stringify(name)},"arguments":${args}}]}`;
  const events = [...parser.push({ type: 'text', text: reply }), ...parser.end('stop')];
  return events
    .flatMap((event) => {
      if (event.type === 'malformed') {
        const { code, message, hint, level } = event.malformed.diagnostic;
        return [`${level} ${code}: ${message} ${hint}`];
      }
      if (event.type !== 'call-end') return [];
      const { name: tool, arguments: bound, mark, notes } = event.call;
      return [
        `${mark} ${tool} ${JSON.stringify(bound)}`,
        ...notes.map(({ level, message, hint }) => `${level} ${message} ${hint}`.trim()),
      ];
    })
    .join(' | ');
}

const rows: [name: string, tool: string, args: string, expect: string][] = [
  [
    'leaves what fits alone',
    'edit',
    '{"path":"a","count":2,"ratio":0.5,"side":"left"}',
    'clean edit {"path":"a","count":2,"ratio":0.5,"side":"left"}',
  ],
  [
    'accepts values unchanged if the schema leaves them open',
    'edit',
    '{"path":"a","any":{"b":[1]},"side":7,"options":{"x":"true"}}',
    'clean edit {"path":"a","any":{"b":[1]},"side":7,"options":{"x":"true"}}',
  ],
  [
    'reads a key in another spelling',
    'edit',
    '{"PATH":"a","is-dry":true}',
    'clean edit {"path":"a","is_dry":true} | info Read "PATH" as "path". | info Read "is-dry" as "is_dry".',
  ],
  [
    'takes a key given in two spellings for one given twice',
    'edit',
    '{"Path":"a","pa_th":"b"}',
    'error duplicate-argument: The argument "path" is given twice. Give "path" once.',
  ],
  [
    'takes another name of an argument only while that is free',
    'edit',
    '{"path":"a","file":"b"}',
    'error unknown-argument: There is no argument "file". The arguments are: path, edits, lines, options, count, ratio, is_dry, side, any, either.',
  ],
  [
    'knows the other names of an argument, in any spelling',
    'edit',
    '{"fileName":"a","Changes":[{"oldStr":"x","replacement":"y"}]}',
    'clean edit {"path":"a","edits":[{"old":"x","new":"y"}]} | info Read "fileName" as "path". | info Read "Changes" as "edits". | info Read "edits[0].oldStr" as "edits[0].old". | info Read "edits[0].replacement" as "edits[0].new".',
  ],
  [
    'says which arguments there are inside a list',
    'edit',
    '{"path":"a","edits":[{"old":"x","new":"y"},{"old":"x","new":"y","extra":1}]}',
    'error unknown-argument: There is no argument "edits[1].extra". The arguments are: edits[1].old, edits[1].new, edits[1].count.',
  ],
  [
    'says which arguments are missing inside a list',
    'edit',
    '{"path":"a","edits":[{"new":"y"}]}',
    'error missing-argument: The argument "edits[0].old" is missing. Required: edits[0].old, edits[0].new.',
  ],
  [
    'drops null for an optional argument',
    'edit',
    '{"path":"a","count":null,"edits":[{"old":"x","new":"y","count":null}]}',
    'clean edit {"path":"a","edits":[{"old":"x","new":"y"}]} | info Left out "count", which was null. | info Left out "edits[0].count", which was null.',
  ],
  [
    'keeps null if it is allowed',
    'edit',
    '{"path":"a","ratio":null}',
    'clean edit {"path":"a","ratio":null}',
  ],
  [
    'refuses null for a required argument',
    'edit',
    '{"path":null}',
    'error invalid-argument: The argument "path" must be string, not null. Send "path" as string.',
  ],
  [
    'reads text as what is wanted',
    'edit',
    '{"path":"a","count":"-2","ratio":"-1.5e3","is_dry":" False "}',
    'clean edit {"path":"a","count":-2,"ratio":-1500,"is_dry":false} | info Read "-2" for "count" as number. | info Read "-1.5e3" for "ratio" as number. | info Read " False " for "is_dry" as boolean.',
  ],
  [
    'reads null out of text',
    'edit',
    '{"path":"a","ratio":"null"}',
    'clean edit {"path":"a","ratio":null} | info Read "null" for "ratio" as null.',
  ],
  [
    'reads one of several types out of text',
    'edit',
    '{"path":"a","either":"true"}',
    'clean edit {"path":"a","either":true} | info Read "true" for "either" as boolean.',
  ],
  [
    'refuses a text that fits none of several types',
    'edit',
    '{"path":"a","either":"maybe"}',
    'error invalid-argument: The argument "either" must be integer or boolean, not "maybe". Send "either" as integer or boolean.',
  ],
  [
    'refuses a number of too many digits',
    'edit',
    '{"path":"a","count":"12345678901234567"}',
    'error invalid-argument: The argument "count" must be integer, not "12345678901234567". Send "count" as integer.',
  ],
  [
    'refuses a number beyond all bounds',
    'edit',
    '{"path":"a","ratio":"1e999"}',
    'error invalid-argument: The argument "ratio" must be number or null, not "1e999". Send "ratio" as number or null.',
  ],
  [
    'refuses half a number',
    'edit',
    '{"path":"a","count":"1.5"}',
    'error invalid-argument: The argument "count" must be integer, not "1.5". Send "count" as integer.',
  ],
  [
    'refuses a number with text after it',
    'edit',
    '{"path":"a","ratio":"1.5x"}',
    'error invalid-argument: The argument "ratio" must be number or null, not "1.5x". Send "ratio" as number or null.',
  ],
  [
    'refuses a number with text before it',
    'edit',
    '{"path":"a","ratio":"x1.5"}',
    'error invalid-argument: The argument "ratio" must be number or null, not "x1.5". Send "ratio" as number or null.',
  ],
  [
    'refuses words that only hold a truth value',
    'edit',
    '{"path":"a","is_dry":"true!"}',
    'error invalid-argument: The argument "is_dry" must be boolean, not "true!". Send "is_dry" as boolean.',
  ],
  [
    'refuses words that only end in a truth value',
    'edit',
    '{"path":"a","is_dry":"untrue"}',
    'error invalid-argument: The argument "is_dry" must be boolean, not "untrue". Send "is_dry" as boolean.',
  ],
  [
    'refuses a fraction for an integer argument',
    'edit',
    '{"path":"a","count":1.5}',
    'error invalid-argument: The argument "count" must be integer, not 1.5. Send "count" as integer.',
  ],
  [
    'writes numbers and truth values as text',
    'edit',
    '{"path":7,"edits":[{"old":true,"new":"y"}]}',
    'clean edit {"path":"7","edits":[{"old":"true","new":"y"}]} | info Read 7 for "path" as string. | info Read true for "edits[0].old" as string.',
  ],
  [
    'takes one thing for a list of it',
    'edit',
    '{"path":"a","edits":{"old":"x","new":"y"}}',
    'clean edit {"path":"a","edits":[{"old":"x","new":"y"}]} | info Read {"old":"x","new":"y"} for "edits" as a list.',
  ],
  [
    'takes a list that is inside a text',
    'edit',
    '{"path":"a","edits":"[{\\"old\\":\\"x\\",\\"new\\":\\"y\\",}]"}',
    'repaired edit {"path":"a","edits":[{"old":"x","new":"y"}]} | info Read "[{\\"old\\":\\"x\\",\\"new\\":\\"y\\",}]" for "edits" as a list. | warning Repaired JSON: left out a comma before a closing bracket.',
  ],
  [
    'takes one thing that is inside a text for a list of it',
    'edit',
    '{"path":"a","edits":"{\\"old\\":\\"x\\",\\"new\\":\\"y\\"}"}',
    'clean edit {"path":"a","edits":[{"old":"x","new":"y"}]} | info Read "{\\"old\\":\\"x\\",\\"new\\":\\"y\\"}" for "edits" as a list.',
  ],
  [
    'takes an object that is inside a text',
    'edit',
    '{"path":"a","options":"{\\"deep\\":\\"true\\"}"}',
    'clean edit {"path":"a","options":{"deep":true}} | info Read "{\\"deep\\":\\"true\\"}" for "options" as object. | info Read "true" for "options.deep" as boolean.',
  ],
  [
    'takes a list whose items may be anything',
    'edit',
    '{"path":"a","lines":[1,"b",{"c":2}]}',
    'clean edit {"path":"a","lines":[1,"b",{"c":2}]}',
  ],
  [
    'refuses a text that holds another thing',
    'edit',
    '{"path":"a","options":"[1]"}',
    'error invalid-argument: The argument "options" must be object, not "[1]". Send "options" as object.',
  ],
  [
    'refuses a text that holds no list',
    'edit',
    '{"path":"a","lines":"a, b"}',
    'error invalid-argument: The argument "lines" must be array, not "a, b". Send "lines" as array.',
  ],
  [
    'refuses a text for a list',
    'edit',
    '{"path":"a","lines":"5"}',
    'error invalid-argument: The argument "lines" must be array, not "5". Send "lines" as array.',
  ],
  [
    'refuses a list for a text argument',
    'edit',
    '{"path":["a"]}',
    'error invalid-argument: The argument "path" must be string, not ["a"]. Send "path" as string.',
  ],
  [
    'refuses what is not among the choices',
    'edit',
    '{"path":"a","side":"7"}',
    'error invalid-argument: The argument "side" cannot be "7". Use one of: "left", 7.',
  ],
  [
    'shows of a long value its beginning',
    'edit',
    '{"path":"a","count":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}',
    'error invalid-argument: The argument "count" must be integer, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…. Send "count" as integer.',
  ],
  [
    'shows a value of sixty characters whole',
    'edit',
    '{"path":"a","count":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}',
    'error invalid-argument: The argument "count" must be integer, not "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx". Send "count" as integer.',
  ],
  [
    'refuses what is nested too deep',
    'edit',
    '{"path":"a","any":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}',
    'error invalid-argument: The arguments are nested more than 32 levels deep. Flatten them.',
  ],
  [
    'takes what is nested as deep as may be',
    'edit',
    '{"path":"a","any":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}',
    'clean edit {"path":"a","any":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}',
  ],
  [
    'refuses names that reach a prototype',
    'edit',
    '{"path":"a","constructor":1}',
    'error unknown-argument: "constructor" cannot be an argument. Leave it out.',
  ],
  [
    'refuses such names inside a list, too',
    'edit',
    '{"path":"a","edits":[{"old":"x","new":"y","__proto__":1}]}',
    'error unknown-argument: "edits[0].__proto__" cannot be an argument. Leave it out.',
  ],
  [
    'warns of a control character in a path',
    'edit',
    '{"path":"C:\\temp"}',
    'clean edit {"path":"C:\\temp"} | warning The argument "path" has a control character. Write a backslash in JSON as \\\\, or use forward slashes.',
  ],
  [
    'warns of a control character in one of several paths',
    'get_it',
    '{"paths":["a","C:\\temp"]}',
    'clean get_it {"paths":["a","C:\\temp"]} | warning The argument "paths" has a control character. Write a backslash in JSON as \\\\, or use forward slashes.',
  ],
  [
    'refuses more arguments than any tool takes',
    'get_it',
    JSON.stringify(Object.fromEntries(Array.from({ length: 257 }, (_, number) => [`a${number}`, number]))),
    'error too-many-arguments: The call has more than 256 arguments. Give only arguments of the tool.',
  ],
  [
    'warns of a control character only in paths',
    'edit',
    '{"path":"a","any":"\\t"}',
    'clean edit {"path":"a","any":"\\t"}',
  ],
  [
    'reads a name in another spelling',
    'Edit',
    '{"path":"a"}',
    'clean edit {"path":"a"} | info Read the name "Edit" as "edit".',
  ],
  ["knows a tool's qualified name", 'files_editFile', '{"path":"a"}', 'clean edit {"path":"a"}'],
  ["knows a tool's name for VCP", 'change', '{"path":"a"}', 'clean edit {"path":"a"}'],
  [
    'knows other names of a tool in their own spelling alone',
    'Change',
    '{}',
    'error unknown-tool: There is no tool "Change". Use one of: edit, ping, get_it, get-it, find.',
  ],
  [
    'offers the tools whose names are near',
    'editt',
    '{}',
    'error unknown-tool: There is no tool "editt". Use one of: edit.',
  ],
  [
    'offers all tools if no name is similar',
    'delete_everything',
    '{}',
    'error unknown-tool: There is no tool "delete_everything". Use one of: edit, ping, get_it, get-it, find.',
  ],
  [
    'asks for a missing name',
    '',
    '{}',
    'error unknown-tool: The call names no tool. Use one of: edit, ping, get_it, get-it, find.',
  ],
  ['takes the tool of exactly that name', 'get_it', '{"a":1}', 'clean get_it {"a":1}'],
  [
    'refuses a name that two tools may have',
    'getIt',
    '{}',
    'error unknown-tool: There is no tool "getIt". Use one of: get_it, get-it, edit.',
  ],
  [
    'shows the beginning of a long name',
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    '{}',
    'error unknown-tool: There is no tool "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx". Use one of: edit, ping, get_it, get-it, find.',
  ],
  [
    'says that a tool takes no arguments',
    'ping',
    '{"a":1}',
    'error unknown-argument: There is no argument "a". It takes no arguments.',
  ],
  [
    'refuses another name that two arguments may have',
    'find',
    '{"pattern":"x"}',
    'error unknown-argument: There is no argument "pattern". The arguments are: query, glob.',
  ],
  [
    'takes another name for the one argument that is free',
    'find',
    '{"pattern":"x","query":"y"}',
    'clean find {"glob":"x","query":"y"} | info Read "pattern" as "glob".',
  ],
];

describe('arguments of a call', () => {
  for (const [name, tool, args, expect] of rows) it(name, () => assert.equal(outcome(tool, args), expect));

  it('are refused in strict mode only if they had to be repaired', () => {
    const strict = (name: string, args: string): string => outcome(name, args, { strictness: 'strict' });
    assert.equal(
      strict('edit', '{"path":"a",}'),
      'error needs-repair: The call is not exactly in form, which "strict" requires. ' +
        'Repaired JSON: left out a comma before a closing bracket. Write strict JSON.',
    );
    assert.equal(
      strict('edit', '{"path":"a","options":"{deep:true}"}'),
      'error needs-repair: The call is not exactly in form, which "strict" requires. ' +
        'Repaired JSON: read the bare word deep as a key. Send it again exactly in the form shown.',
    );
    assert.equal(
      strict('Edit', '{"path":"a"}'),
      'clean edit {"path":"a"} | info Read the name "Edit" as "edit".',
    );
  });

  it('do not mention tools if no tools are offered', () => {
    assert.equal(
      outcome('ping', '{}', { tools: [] }),
      'error unknown-tool: There is no tool "ping". No tools are available.',
    );
  });

  it('are not bound if the offered tools are unknown', () => {
    const unbound = (args: string): string => {
      const parser = findProtocol('json')!.createParser({ ids: new CallIds() });
      const text = `{"tool_calls":[{"name":"x","arguments":${args}}]}`;
      const events = [...parser.push({ type: 'text', text }), ...parser.end('stop')];
      return events
        .map((event) => (event.type === 'malformed' ? event.malformed.diagnostic.code : event.type))
        .join();
    };
    assert.equal(unbound('{"a":"1"}'), 'call-start,call-end');
    for (const key of ['__proto__', 'constructor', 'prototype'])
      assert.equal(unbound(`{"${key}":1}`), 'call-start,unknown-argument');
    const many = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])));
    assert.equal(unbound(many(256)), 'call-start,call-end');
    assert.equal(unbound(many(257)), 'call-start,too-many-arguments');
  });
});

import assert from 'node:assert/strict';
import type { Protocol } from '../../../../src/core/words/protocol';
import { leaked } from '../../../../src/protocols/leaked/leaked';
import { vcp } from '../../../../src/protocols/vcp/vcp';
import { readTool } from '../../../support/protocols/foreign-forms';
import { eventLines } from '../../../support/protocols/parser-events';

const A = '{"path":"a"}';
const ds = (inner: string) => `<｜tool▁calls▁begin｜>${inner}<｜tool▁calls▁end｜>`;
const item = (name: string, args = A) =>
  `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${args}<｜tool▁call▁end｜>`;
const kimi = (name: string, s = 's') =>
  `<|tool_call${s}_section_begin|>\n<|tool_call_begin|> ${name}<|tool_call_argument_begin|> ${A} <|tool_call_end|>\n<|tool_call${s}_section_end|>`;
/** Without an outcome it is text, and nothing is said about it. */
const rows: [name: string, reply: string, expect?: string][] = [
  [
    'a bare object behind blanks',
    `  { \n"name":"read","arguments":${A}}`,
    'text "  " | 0 is read {"path":"a"}, c1 2-44, recovered, recovered 2-44',
  ],
  ['no bare object behind text', `So {"name":"read","arguments":${A}}`],
  [
    'a bare object of the API',
    `{"tool_calls":[{"type":"function","id":"k","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}]}`,
    '0 is read {"path":"a"}, k 0-103, recovered, recovered 0-103, repaired-json 0-103',
  ],
  [
    'an envelope that says that it calls',
    `{"action":"tool_call","tool_calls":[{"name":"read","arguments":${A}}]}`,
    '0 is read {"path":"a"}, c1 0-78, recovered, recovered 0-78',
  ],
  [
    'no envelope that says something else',
    `{"action":"finish","tool_calls":[{"name":"read","arguments":${A}}]}`,
  ],
  [
    'a bare object whose arguments come first',
    `{"arguments":${A},"name":"read"}`,
    '0 is read {"path":"a"}, c1 0-40, recovered, recovered 0-40',
  ],
  [
    'one item of the API',
    `{"id":"k","type":"function","function":{"name":"read","arguments":${A}}}`,
    '0 is read {"path":"a"}, k 0-80, recovered, recovered 0-80',
  ],
  [
    'one item of the API that begins with its type',
    `{"type":"function","function":{"name":"read","arguments":${A}}}`,
    '0 is read {"path":"a"}, c1 0-71, recovered, recovered 0-71',
  ],
  ['no object with an id that is not a call', '{"id":1,"type":"function"}'],
  ['no arguments without a name', `{"arguments":${A}}`],
  ['no bare object without arguments', '{"name":"read"}'],
  ['no bare object whose first key is another', `{"names":[],"name":"read","arguments":${A}}`],
  ['no empty list of calls', '{"tool_calls":[]}'],
  ['no list that holds something else', `{"tool_calls":[{"name":"read","arguments":${A}},1]}`],
  ['no bare object that cannot be read', `{"name":"read","arguments":{"path":a}}`],
  ['no bare object that never ends', `{"name":"read","arguments":{"path":"a"}`],
  [
    'a bare object that needs a repair',
    `{"name":"read","arguments":{"path":"a",}}`,
    '0 is read {"path":"a"}, c1 0-41, recovered, recovered 0-41, repaired-json 0-41',
  ],
  [
    'several objects of Llama',
    `<|python_tag|>{"name":"read","parameters":${A}}; {"name":"read","parameters":{"path":"b"}}`,
    '0 is read {"path":"a"}, c1 0-55, recovered, recovered 0-55, repaired-json 14-55 | 1 is read {"path":"b"}, c2 55-98, recovered, recovered 55-98, repaired-json 57-98',
  ],
  [
    'a semicolon that nothing follows',
    `<|python_tag|>{"name":"read","parameters":${A}};`,
    '0 is read {"path":"a"}, c1 0-55, recovered, recovered 0-55, repaired-json 14-55 | text ";"',
  ],
  ['no program of Llama', '<|python_tag|>print("a")'],
  [
    'a list of Granite behind blanks',
    `<|tool_call|> \n[{"name":"read","arguments":${A}}]`,
    '0 is read {"path":"a"}, c1 0-57, recovered, recovered 0-57',
  ],
  [
    'a name and arguments of Mistral',
    `[TOOL_CALLS] read[ARGS] ${A}`,
    '0 is read {"path":"a"}, c1 0-36, recovered, recovered 0-36',
  ],
  [
    'an id of Mistral',
    `[TOOL_CALLS]read[CALL_ID]abc123456[ARGS]${A}`,
    '0 is read {"path":"a"}, abc123456 0-52, recovered, recovered 0-52',
  ],
  [
    'one object of Mistral',
    `[TOOL_CALLS]{"name":"read","arguments":${A}}`,
    '0 is read {"path":"a"}, c1 0-52, recovered, recovered 0-52',
  ],
  ['no arguments of Mistral without a name', `[TOOL_CALLS][ARGS]${A}`],
  [
    'a name of Mistral whose mark is hidden',
    `[TOOL_CALLS]read${A}`,
    '0 is read {"path":"a"}, c1 0-28, recovered, recovered 0-28',
  ],
  ['no name of Mistral without arguments', '[TOOL_CALLS]read'],
  ['no arguments of Mistral that are a list', '[TOOL_CALLS]read[ARGS][1]'],
  [
    'several calls of DeepSeek',
    ds(`\n${item('read')}\n${item('read', '{"path":"b"}')}\n`),
    '0 is read {"path":"a"}, c1 0-68, recovered, recovered 0-68 | 1 is read {"path":"b"}, c2 68-169, recovered, recovered 68-169',
  ],
  [
    'a fence of DeepSeek',
    ds(item('function', '').replace('<｜tool▁sep｜>', `<｜tool▁sep｜>read\n\`\`\`json\n${A}\n\`\`\`\n`)),
    '0 is read {"path":"a"}, c1 0-124, recovered, recovered 0-124',
  ],
  [
    'a fence without a word',
    ds(item('read', `\`\`\`\n${A}\n\`\`\``)),
    '0 is read {"path":"a"}, c1 0-110, recovered, recovered 0-110',
  ],
  ['no section without a call', ds('')],
  [
    'no section that never ends',
    ds(item('read')).slice(0, -3),
    'text "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{\\"path\\":\\"a\\"}<｜tool▁call▁end｜>" | warns foreign-block 20-84 | text "<｜tool▁calls▁en" | warns unread-form 0-20',
  ],
  [
    'a call that the end of its section ends',
    ds(item('read').replace('<｜tool▁call▁end｜>', '')),
    '0 is read {"path":"a"}, c1 0-85, recovered, recovered 0-85',
  ],
  ['no call that never ends', item('read').replace('<｜tool▁call▁end｜>', ' So.')],
  ['no call whose arguments are not an object', ds(item('read', '5'))],
  [
    'an id of Kimi',
    kimi('functions.read:12'),
    '0 is read {"path":"a"}, functions.read:12 0-152, recovered, recovered 0-152',
  ],
  ['a name of Kimi', kimi('read'), '0 is read {"path":"a"}, c1 0-139, recovered, recovered 0-139'],
  [
    'a section of Kimi in the singular',
    kimi('functions.read:0', ''),
    '0 is read {"path":"a"}, functions.read:0 0-149, recovered, recovered 0-149',
  ],
  [
    'an id of Kimi without a name',
    kimi('functions.:0'),
    'text "<|tool_calls_section_begin|>\\n<|tool_call_begin|> functions.:0<|tool_call_argument_begin|> {\\"path\\":\\"a\\"} <|tool_call_end|>\\n<|tool_calls_section_end|>" | warns foreign-block 0-147',
  ],
  [
    'a call of Harmony',
    `<|channel|>commentary to=functions.read <|constrain|>json<|message|> ${A}<|call|>`,
    '0 is read {"path":"a"}, c1 0-89, recovered, recovered 0-89',
  ],
  [
    'a call of Harmony without its end',
    `<|channel|>commentary to=functions.read<|message|>${A} So.`,
    '0 is read {"path":"a"}, c1 0-62, recovered, recovered 0-62 | text " So."',
  ],
  [
    'a call of Harmony on two lines',
    `<|channel|>commentary to=functions.read\n<|message|>${A}<|call|>`,
    '0 is read {"path":"a"}, c1 0-71, recovered, recovered 0-71',
  ],
  ['no call of Harmony without a message', `<|channel|>commentary to=functions.read`],
  ['no Harmony call that is not an object', '<|channel|>commentary to=functions.read<|message|>a'],
];

/** Whatever protocols there are beside these forms. */
const withLeaked: Protocol = {
  ...vcp,
  createParser: (options) => vcp.createParser({ ...options, foreign: leaked(options.tools) }),
};

describe('forms that only servers should see', () => {
  for (const [name, reply, expect] of rows) {
    it(`${expect === undefined ? 'know' : 'include'} ${name}`, () => {
      const events = eventLines(withLeaked, [reply], { tools: [readTool], recover: true });
      const told = events.filter((line) => !/^\d+ starts/.test(line)).join(' | ');
      if (expect !== undefined) assert.equal(told, expect);
      else assert.equal(told.replace(/ \| warns unread-form .*/, ''), `text ${JSON.stringify(reply)}`);
    });
  }
});

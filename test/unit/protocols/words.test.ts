import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/reply/call-ids';
import { findProtocol } from '../../../src/protocols';
import { casesIn } from '../../support/protocols/reply-cases';

/** What people and models are told about a reply: each message, with the hint behind it. */
const rows: readonly (readonly [protocol: string, reply: string, ...said: string[]])[] = [
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name：「始」read「末」，\npath:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>',
    'Read "：" after "tool_name" as ":". Write ":".',
    'Read "，" between the arguments as ",". Write ",".',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\npath:「始」a\n<<<[END_TOOL_REQUEST]>>>',
    'The value of "path" was not closed. Close every value with 「末」 and send the call again; write long files in several steps.',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\npath:「始ESCAPE」a「末」\n<<<[END_TOOL_REQUEST]>>>',
    'The value of "path" was not closed. Close every value with 「末ESCAPE」 and send the call again; write long files in several steps.',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\npath:「始」a「末」\nand more\n<<<[END_TOOL_REQUEST]>>>',
    'The value of "path" was not closed. Close every value with 「末」 and send the call again; write long files in several steps.',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\n「始」a「末」\n<<<[END_TOOL_REQUEST]>>>',
    'The value of "tool_name" was not closed. Close every value with 「末」 and send the call again; write long files in several steps.',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\npath:「始」a「末」\npath:「始」b「末」\n<<<[END_TOOL_REQUEST]>>>',
    '"path" is given twice. Give "path" once. A value that holds 「始」 or 「末」 needs 「始ESCAPE」…「末ESCAPE」.',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\ntool_name:「始」ping「末」\n<<<[END_TOOL_REQUEST]>>>',
    '"tool_name" is given twice. Give "tool_name" once. A value that holds 「始」 or 「末」 needs 「始ESCAPE」…「末ESCAPE」.',
  ],
  [
    'vcp',
    '<<<[TOOL_REQUEST]>>>\ntool_name:[始]read[末]\npath:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>',
    '"[始]read[末]" is not of the form key:「始」value「末」. Write every argument as key:「始」value「末」. A value that holds 「始」 or 「末」 needs 「始ESCAPE」…「末ESCAPE」.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","arguments":{"path":"a"}}',
    'The call was not finished before the reply ended. Send it again, ending with all of its brackets; write long files in several steps.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","arguments":{"path":a b}}]}',
    'The call is not valid JSON: there is no value at "a b". Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","path":"a"}]}',
    'The call is not valid JSON: not all of its arguments are under "arguments" (found path). Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}]}',
    'Repaired JSON: decoded the arguments, which were written as text. Write strict JSON.',
  ],
  [
    'json',
    '{"tool_calls":[{"arguments":{"path":"a"}}]}',
    'The call is not valid JSON: it has no "name". Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","arguments":[1]}]}',
    'The call is not valid JSON: "arguments" is not an object. Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","tool":"ping","arguments":{}}]}',
    'The call is not valid JSON: it has both "name" and "tool". Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  ],
  [
    'json',
    '{"tool_calls":[{"name":"read","arguments":{},"args":{}}]}',
    'The call is not valid JSON: it has both "arguments" and "args". Send it again as strict JSON: {"name": "…", "arguments": {…}}.',
  ],
  [
    'json',
    '{"name":"read","arguments":{"path":"a"}}',
    'A call is outside of "tool_calls" and was not run. List every call in "tool_calls".',
  ],
  [
    'envelope',
    '{"action":"tool_call"}',
    'The envelope says "tool_call" but has no calls. Set "action" to "tool_call" and list the calls, or set it to "finish" and leave "tool_calls" out.',
  ],
  [
    'envelope',
    '{"action":"fly"}',
    'The envelope has no calls and no answer; nothing was run. To call tools, set "action" to "tool_call" and list the calls in "tool_calls". To answer, set it to "finish" and write "content".',
  ],
  [
    'envelope',
    '{"action":"tool_call","tool_calls":[]}',
    'The envelope says "tool_call" but has no calls. Set "action" to "tool_call" and list the calls, or set it to "finish" and leave "tool_calls" out.',
  ],
  [
    'envelope',
    '{"reasoning":"","tool_calls":[{"name":"ping","arguments":{}}]}',
    'The envelope has calls but no "action"; it was read as "tool_call". Set "action" to "tool_call".',
  ],
  [
    'envelope',
    '{"tool_calls":[{"name":"ping","arguments":{}}]}',
    'The envelope has calls but no "action"; it was read as "tool_call". Set "action" to "tool_call".',
  ],
  [
    'hermes',
    '<tool_call></tool_call>',
    'Text in <tool_call> is not a call in a known form. Send it again exactly in the form shown.',
  ],
  [
    'hermes',
    '<tool_call>{"name":"ping","arguments":{}}',
    'Repaired JSON: added the missing </tool_call>. Write strict JSON.',
  ],
  [
    'hermes',
    '<tool_call><tool_call>{"name":"ping","arguments":{}}</tool_call>',
    '<tool_call> was written twice. Open every call once.',
  ],
  [
    'hermes',
    '<tool_call>{"name":"ping","arguments":{}}}</tool_call>',
    'Repaired JSON: left out an extra closing brace. Write strict JSON.',
  ],
  [
    'hermes',
    '<tool_call>{"name":"ping","arguments":{}</tool_call>',
    'Repaired JSON: closed the brackets that were left open. Write strict JSON.',
  ],
  [
    'hermes',
    '<think>Now <tool_call>{"name":"ping","arguments":{}}</tool_call>',
    'A call is inside reasoning that was never closed and was not run. Close the reasoning first and send the call again outside it.',
  ],
  [
    'hermes',
    'Now <tool_call>{"name":"ping","arguments":{}}</tool_call></think>',
    'A call is inside the reasoning and was not run. Close the reasoning first and send the call again outside it.',
  ],
  [
    'hermes',
    '<think>a</thinking><tool_call>{"name":"ping","arguments":{}}</tool_call>',
    'The reasoning was opened with <think> and closed with </thinking>. Close it with </think>.',
  ],
  [
    'qwen3-coder',
    '<tool_call><function=read><parameter=path>a</parameter></tool_call>',
    'The call lacks </function>; all its values were closed. End every call with </function>.',
  ],
  [
    'qwen3-coder',
    '<tool_call><function=read><parameter=path>a</parameter>b</function></tool_call>',
    'The value of "path" was not closed. Close every value with </parameter> and send the call again; write long files in several steps.',
  ],
  [
    'qwen3-coder',
    '<tool_call><function=read><parameter=path>a',
    'The call was not finished before the reply ended. Send it again, ending with </tool_call>; write long files in several steps.',
  ],
  [
    'glm',
    '<tool_call>read\n<arg_key>path</arg_key>\n</tool_call>',
    'Text in <tool_call> is not a call in a known form. Send it again exactly in the form shown.',
  ],
  [
    'invoke',
    '<function_calls></function_calls>',
    'The block has no call. Put one <invoke name="…"> for each call into it.',
  ],
  [
    'invoke',
    '<function_calls><invoke name="read">{"path":a b}</invoke></function_calls>',
    'The call has content outside <parameter name="…">. Send it again exactly in the form shown.',
  ],
  [
    'invoke',
    '<function_calls><invoke name="read">{"path":"a","other":1}</invoke></function_calls>',
    'There is no argument "other". Write one <parameter name="…"> per argument.',
  ],
  [
    'invoke',
    '<function_calls><invoke name="read"><parameter name="path">a</parameter>',
    'The call lacks </invoke>; all its values were closed. End every call with </invoke>.',
  ],
  [
    'invoke',
    '<function_calls><invoke><parameter name="path">a</parameter></invoke></function_calls>',
    'The call names no tool. Use one of: read, ping.',
  ],
  [
    'pythonic',
    '[read(path="a")] and more',
    'The call cannot be read: text follows the calls. Send it again exactly in the form shown.',
  ],
  [
    'pythonic',
    '[read(path=open("a"))]',
    'The call cannot be read: "open" is invalid. Send it again exactly in the form shown.',
  ],
  [
    'pythonic',
    '[read("a")]',
    'The call cannot be read: an argument is not written as name=value. Send it again exactly in the form shown.',
  ],
  [
    'pythonic',
    '<|tool_call_start|>[read(path="a")]',
    'Repaired call: added the missing <|tool_call_end|>. Write it exactly in the form shown.',
  ],
  [
    'pythonic',
    '<|tool_call_start|>[read(path="a")] and more',
    'The call cannot be read: there is no <|tool_call_end|> after the calls. Send it again exactly in the form shown.',
  ],
  [
    'gemma4',
    '<|tool_call>call:read{path:<|"|>a<|"|>} and more<tool_call|>',
    'The call cannot be read: there is no <tool_call|> after the calls. Send it again exactly in the form shown.',
  ],
  [
    'gemma4',
    '<|tool_call>call:read{path:<|"|>a}<tool_call|>',
    'Repaired call: added the end of the last text. Write it exactly in the form shown.',
  ],
  [
    'gemma4',
    '<|tool_call>{"path":"a"}<tool_call|>',
    'The call cannot be read: there is no call: after the mark. Send it again exactly in the form shown.',
  ],
];

const [{ tools } = { tools: [] }] = casesIn([
  { name: 'any', from: 'here', reply: '', tools: ['read', 'ping'], expect: '' },
]);

describe('what is said of a reply', () => {
  for (const [protocol, reply, ...said] of rows) {
    it(`${protocol}: ${JSON.stringify(reply)}`, () => {
      assert.deepEqual(saidOf(protocol, reply), said);
    });
  }
});

function saidOf(protocol: string, reply: string): readonly string[] {
  const parser = findProtocol(protocol)!.createParser({ ...(tools && { tools }), ids: new CallIds() });
  const events = [...parser.push({ type: 'text', text: reply }), ...parser.end('stop')];
  const diagnostics = events.flatMap((event) => {
    if (event.type === 'call-end') return event.call.notes;
    if (event.type === 'malformed') return [event.malformed.diagnostic];
    return event.type === 'warning' ? [event.diagnostic] : [];
  });
  return diagnostics.map(({ message, hint }) => `${message} ${hint}`);
}

import assert from 'node:assert/strict';
import { summary } from '../../../../src/core/reply/parse-reply';
import { findProtocol } from '../../../../src/protocols';
import { readTool } from '../../../support/protocols/foreign-forms';
import { parseText, splitText } from '../../../support/protocols/run-parser';

const vcp = findProtocol('vcp')!;
const call = (path: string, name = 'read'): string => JSON.stringify({ name, arguments: { path } });
const WANTED = 'read {"path":"a"} recovered';
const BOTH = `${WANTED} | read {"path":"b"} recovered`;

interface Frame {
  readonly open: string;
  readonly close?: string;
  /** How one call is written, and several. */
  readonly item?: (path: string, name?: string) => string;
  readonly items?: (...calls: readonly string[]) => string;
  /** Each call has its own marks, so that a damaged one leaves the others alone. */
  readonly areApart?: boolean;
}

const list = (...calls: readonly string[]): string => `[${calls.join(', ')}]`;
const joined = (...calls: readonly string[]): string => calls.join('');

const FRAMES: readonly Frame[] = [
  { open: '<|tool_call|>' },
  { open: '<function_call>' },
  { open: '<|python_tag|>' },
  { open: '[TOOL_CALLS]' },
  { open: '<|START_ACTION|>', close: '<|END_ACTION|>' },
  { open: '<|action_start|><|plugin|>', close: '<|action_end|>' },
  { open: '<|function_call|>' },
  { open: '<|message_sep|>\n\nfunction call<|role_sep|>\n' },
  {
    open: '<|tools_prefix|>',
    close: '<|tools_suffix|>',
    item: (path, name = 'read') => JSON.stringify({ [name]: { path } }),
  },
  { open: '<TOOLCALL>', close: '</TOOLCALL>' },
  { open: '<tool_calls>', close: '</tool_calls>' },
  { open: '<|tool_calls|>' },
  { open: '<|tool_call_start|>', close: '<|tool_call_end|>' },
  { open: '[TOOL_REQUEST]', close: '[END_TOOL_REQUEST]' },
  { open: '[TOOL_CALL]', close: '[/TOOL_CALL]' },
  { open: '<|message_model|><|content_invoke_tool_json|>', close: '<|end_message|>' },
  ...['｜', '|'].map((bar): Frame => ({
    open: `<${bar}tool▁calls▁begin${bar}>`,
    close: `<${bar}tool▁calls▁end${bar}>`,
    item: (path, name = 'read') =>
      `<${bar}tool▁call▁begin${bar}>${name}<${bar}tool▁sep${bar}>${JSON.stringify({ path })}<${bar}tool▁call▁end${bar}>`,
    items: joined,
  })),
  {
    open: '<|tool_calls_section_begin|>',
    close: '<|tool_calls_section_end|>',
    item: (path, name = 'read') =>
      `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify({ path })}<|tool_call_end|>`,
    items: joined,
  },
  {
    open: '',
    item: (path, name = 'read') => `[TOOL_CALLS]${name}[CALL_ID]aB3dE6gH9[ARGS]${JSON.stringify({ path })}`,
    items: joined,
    areApart: true,
  },
  {
    open: '',
    item: (path, name = 'read') =>
      `<|tool_call:begin|>k1<|tool_call:name|>${name}<|tool_call:args|>${JSON.stringify({ path })}<|tool_call:end|>`,
    items: joined,
    areApart: true,
  },
  {
    open: '<|from|>assistant\n',
    item: (path, name = 'read') => `<|recipient|>${name}\n<|content|>${JSON.stringify({ path })}`,
    items: joined,
  },
  {
    open: '',
    item: (path, name = 'read') =>
      `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify({ path })}<|call|>`,
    items: joined,
    areApart: true,
  },
  {
    open: '<|open|>tools<|sep|>',
    close: '<|close|>tools<|sep|>',
    item: (path, name = 'read') =>
      `<|open|>call tool="${name}" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>${path}<|close|>argument<|sep|><|close|>call<|sep|>`,
    items: joined,
  },
];

/** What is said, without what is noted of it. */
function read(parts: readonly string[], reason: 'stop' | 'length' = 'stop'): string {
  return summary(parseText(vcp, parts, [readTool], { recover: true, reason })).replace(/ \[[\w, -]*\]/g, '');
}

for (const { open, close = '', item = call, items = list, areApart = false } of FRAMES) {
  const whole = (...calls: readonly string[]): string => open + items(...calls) + close;
  const title = (open + item('a')).replace(/\s/g, ' ').slice(0, 40);

  describe(`calls in ${title}`, () => {
    const says = (name: string, reply: string, expect: string | RegExp): void => {
      it(name, () => {
        const said = read([reply]);
        if (typeof expect === 'string') assert.equal(said, expect);
        else assert.match(said, expect);
        for (const size of [1, 3, 17])
          assert.equal(read(splitText(reply, size)), said, `in pieces of ${size}`);
      });
    };
    const isText = (name: string, reply: string): void => says(name, reply, /^(?!.*recovered)/s);

    says('are read', whole(item('a')), WANTED);
    says(
      'are read after prose and before it',
      `Look: ${whole(item('a'))}\nSo.`,
      `text "Look: \\nSo." | ${WANTED}`,
    );
    says('are read in order', whole(item('a'), item('b')), BOTH);
    says(
      'are read in consecutive blocks',
      `${whole(item('a'))}\n${whole(item('b'))}`,
      new RegExp(`${BOTH.replace(/[{|}]/g, '\\$&')}$`),
    );
    says(
      'are read with blanks between their marks',
      `${open} \n${items(item('a'))}\n ${close}`,
      new RegExp(WANTED.replace(/[{}]/g, '\\$&')),
    );
    says(
      'keep marks in their values',
      whole(item(`${open}[{"name"}]`.replace(/<\|(?:open|close)\|>/g, '<'))),
      /^read \{"path":".*"\} recovered$/s,
    );
    says('are read if the reply ends before their last mark', open + items(item('a')), WANTED);
    says(
      'are read before an end-of-turn token',
      `${whole(item('a'))}<|im_end|>\n</s>`,
      /^(?:text "\\n" \| )?read \{"path":"a"\} recovered$/,
    );
    isText('are ignored for an unknown tool', whole(item('a', 'fly')));
    isText('are ignored with another argument', whole(item('a')).replace('path', 'size'));
    isText('are ignored with a placeholder', whole(item('value_1')));
    isText('are ignored if an example is announced', `For example:\n${whole(item('a'))}`);
    isText('are ignored in thinking', `<think>${whole(item('a'))}</think>So.`);
    isText('are ignored in a fence', `So:\n~~~~\n${whole(item('a'))}\n~~~~\nDone.`);
    isText('are ignored in inline code', `Write \`\`${whole(item('a')).replace(/\n/g, ' ')}\`\` for it.`);
    isText(
      'are ignored if the first ends early',
      whole(item('a')).slice(0, open.length + item('a').length - 12),
    );
    isText('do not exist with only the first mark', `${open || item('a').slice(0, 12)} opens a call.`);
    if (!areApart) {
      isText(
        'are all left if one is damaged',
        whole(item('a'), item('b').replace('"path":', '"path"').replace('key=', 'ke='), item('c')),
      );
      isText('are all left if one is of an unknown tool', whole(item('a'), item('b', 'fly')));
    }
    it('are the same in whatever form is asked for', () => {
      for (const id of ['native', 'xml', 'invoke', 'hermes', 'glm']) {
        const parsed = parseText(findProtocol(id)!, [whole(item('a'))], [readTool], { recover: true });
        assert.deepEqual(
          parsed.calls.map(({ name, arguments: args }) => [name, args]),
          [['read', { path: 'a' }]],
          id,
        );
      }
    });
  });
}

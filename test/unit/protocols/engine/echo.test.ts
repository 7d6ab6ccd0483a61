import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { protocols } from '../../../../src/protocols';
import { RESULT_WRAPPERS } from '../../../../src/protocols/engine/echo';
import { caseCount } from '../../../hosts/random-cases';
import { parseText, splitText } from '../../../support/protocols/run-parser';

const note: ToolSpec = {
  name: 'note',
  description: 'Writes a note.',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const form = (id: string): string =>
  protocols
    .find((each) => each.id === id)!
    .renderReply([{ type: 'call', call: { id: '', name: 'note', arguments: { text: 'a' } } }])
    .map((delta) => (delta.type === 'text' ? delta.text : ''))
    .join('');

const texts = protocols.filter(({ id }) => !['native', 'plain', 'envelope'].includes(id));
const calls = (protocol: (typeof protocols)[number], reply: string): readonly string[] =>
  parseText(protocol, [reply], [note], { recover: true }).calls.map(({ name, mark }) => `${name} ${mark}`);

describe('a call that is only repeated', () => {
  for (const protocol of texts) {
    for (const [open, close] of RESULT_WRAPPERS) {
      it(`does not run between ${open} and ${close} in ${protocol.id}`, () => {
        for (const { id } of texts)
          assert.deepEqual(
            calls(protocol, `It was:\n${open}\n${form(id)}\n${close}\nSo it is done.`),
            [],
            id,
          );
      });
    }

    it(`counts as repaired behind a result without an end in ${protocol.id}`, () => {
      const found = calls(protocol, `It was:\n<tool_response>\n${form(protocol.id)}`);
      assert.ok(
        found.every((call) => call !== 'note clean'),
        found.join(),
      );
    });

    for (const [open, close] of [...'“”‘’「」『』«»‹›„“'.matchAll(/(.)(.)/gu)].map(([, a, b]) => [a, b])) {
      it(`does not run between ${open} and ${close} in a sentence in ${protocol.id}`, () => {
        for (const { id } of texts) {
          assert.deepEqual(calls(protocol, `You would write ${open}${form(id)}${close} for that.`), [], id);
          assert.deepEqual(calls(protocol, `${open}${form(id)}${close} is what you write.`), [], id);
        }
      });
    }
  }

  it('runs if the quotation mark has no partner or no sentence is around', () => {
    const hermes = texts.find(({ id }) => id === 'hermes')!;
    assert.deepEqual(calls(hermes, `"${form('hermes')}"`), ['note clean']);
    assert.deepEqual(calls(hermes, `He said "${form('hermes')}`), ['note clean']);
  });

  it('is no call if it is the definition of a tool', () => {
    const definition = JSON.stringify({ name: 'note', parameters: note.parameters });
    for (const text of [`<tool_call>${definition}</tool_call>`, definition, `<tools>${definition}</tools>`])
      for (const protocol of texts) assert.deepEqual(calls(protocol, text), [], `${protocol.id}: ${text}`);
  });
});

/** What opens or ends calls in the forms of all families, as their templates write it. */
const MARKS = [
  ...['<tool_call>', '</tool_call>', '<function=', '</function>', '</arg_value>', '</arg_key>'],
  ...['<invoke name=', '</invoke>', '<function_calls>', '</function_calls>', '<function name='],
  ...['<｜DSML｜invoke', '</｜DSML｜invoke>', '<minimax:tool_call>', ']<]minimax[>['],
  ...['<<<[TOOL_REQUEST]>>>', '<<<[END_TOOL_REQUEST]>>>', '<tool_code>', '</tool_code>'],
  ...['[TOOL_CALLS]', '<|python_tag|>', '<|tool_call|>', '<TOOLCALL>', '</TOOLCALL>', '[TOOL_REQUEST]'],
  ...['<|tool_calls_section_begin|>', '<|tool_call_begin|>', '<|tool_call_end|>', '<|action_start|>'],
  ...['<｜tool▁calls▁begin｜>', '<｜tool▁call▁end｜>', '<|tool_call_start|>', '<|START_ACTION|>'],
  ...['<|tool_call>', '<tool_call|>', '<start_function_call>', '<|plamo:begin_tool_request:plamo|>'],
  ...['functools[', '<call_tool name=', '<ifm|tool_call>'],
];

describe('a call that cannot be read', () => {
  for (const protocol of protocols) {
    it(`is named in ${protocol.id}, wherever its marks stand and however the reply is cut`, () => {
      const piece = fc.oneof(
        fc.constantFrom(...MARKS),
        fc.constantFrom('I note it. ', '\n', ' ', 'note', 'text', '{"text":"a"}', '{', '>', '"a"', ': '),
      );
      const reply = fc
        .tuple(
          fc.constantFrom(...MARKS),
          fc.array(piece, { maxLength: 6 }),
          fc.array(piece, { maxLength: 6 }),
        )
        .map(([mark, before, after]) => [...before, mark, ...after].join(''));
      fc.assert(
        fc.property(reply, fc.integer({ min: 1, max: 9 }), (text, size) => {
          const whole = parseText(protocol, [text], [note], { recover: true });
          assert.deepEqual(parseText(protocol, splitText(text, size), [note], { recover: true }), whole);
          const isNamed = [whole.calls, whole.errors, whole.warnings].some((each) => each.length > 0);
          assert.ok(isNamed, JSON.stringify(text));
        }),
        { numRuns: caseCount(300) },
      );
    });
  }

  it('is not named in code or between quotation marks', () => {
    for (const protocol of texts) {
      for (const text of [
        'Use `<tool_call>` for it.',
        'Its mark is "</invoke>".',
        '```xml\n<tool_calls>\n```\nSo.',
      ])
        assert.deepEqual(parseText(protocol, [text], [note]).warnings, [], `${protocol.id}: ${text}`);
    }
  });

  for (const thought of ['<think>', '<|channel|>analysis<|message|>']) {
    it(`is named behind ${thought} that never ends`, () => {
      for (const protocol of texts) {
        for (const { id } of texts.filter((each) => !/json|pythonic/.test(each.id))) {
          const { calls: run, warnings } = parseText(protocol, [`${thought}I note it. ${form(id)}`], [note]);
          assert.deepEqual(run, []);
          assert.ok(warnings.length > 0, `${id} in ${protocol.id}`);
        }
      }
    });
  }
});

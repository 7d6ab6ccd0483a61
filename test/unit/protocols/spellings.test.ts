import assert from 'node:assert/strict';
import { summary } from '../../../src/core/reply/parse-reply';
import type { ToolSpec } from '../../../src/core/words/tool';
import { findProtocol, protocols } from '../../../src/protocols';
import { cutPositions } from '../../hosts/random-cases';
import { parseText, splitText, type ParseOptions } from '../../support/protocols/run-parser';

/** How one family spells the calls of a protocol, one or several of them in a block. */
interface Spelling {
  readonly name: string;
  readonly protocol: string;
  readonly block: (...calls: string[]) => string;
  readonly call: (name: string, ...values: string[]) => string;
  readonly value: (key: string, text: string) => string;
  /** What the value is written against, so that its last line break stays. */
  readonly isVerbatim?: boolean;
  /** A call contains only JSON; its end is found by reading it. */
  readonly isJson?: boolean;
  /** The marks that end a call, of which the last ones may be missing. */
  readonly end: string;
}

const tagged = (prefix: string, wrapper: string, text = ' string="true"'): Omit<Spelling, 'name'> => ({
  protocol: 'invoke',
  block: (...calls) => `<${prefix}${wrapper}>\n${calls.join('\n')}\n</${prefix}${wrapper}>`,
  call: (name, ...values) => `<${prefix}invoke name="${name}">\n${values.join('\n')}\n</${prefix}invoke>`,
  value: (key, value) => `<${prefix}parameter name="${key}"${text}>${value}</${prefix}parameter>`,
  isVerbatim: true,
  end: `\n</${prefix}invoke>\n</${prefix}${wrapper}>`,
});

const named = (prefix: string, suffix: string): Omit<Spelling, 'name'> => ({
  protocol: 'glm',
  block: (...calls) => calls.join('\n'),
  call: (name, ...values) =>
    `<${prefix}tool_call${suffix}>${name}\n${values.join('\n')}\n</${prefix}tool_call${suffix}>`,
  value: (key, value) =>
    `<${prefix}arg_key${suffix}>${key}</${prefix}arg_key${suffix}>\n<${prefix}arg_value${suffix}>${value}</${prefix}arg_value${suffix}>`,
  isVerbatim: true,
  end: `\n</${prefix}tool_call${suffix}>`,
});

const hy3 = (suffix: string): Omit<Spelling, 'name'> => ({
  ...named('', suffix),
  block: (...calls) => `<tool_calls${suffix}>\n${calls.join('\n')}\n</tool_calls${suffix}>`,
  call: (name, ...values) =>
    `<tool_call${suffix}>${name}<tool_sep${suffix}>\n${values.join('\n')}\n</tool_call${suffix}>`,
  end: `\n</tool_call${suffix}>\n</tool_calls${suffix}>`,
});

const json = (open: string, close: string, protocol = 'hermes'): Omit<Spelling, 'name'> => ({
  protocol,
  block: (...calls) => calls.join('\n'),
  call: (name, ...values) => `${open}\n{"name":"${name}","arguments":{${values.join(',')}}}\n${close}`,
  value: (key, value) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  isVerbatim: true,
  isJson: true,
  end: `\n${close}`,
});

const N = ']<]minimax[>[';

const spellings: readonly Spelling[] = [
  {
    name: 'MiniMax M2',
    ...tagged('', 'function_calls', ''),
    block: (...calls) => `<minimax:tool_call>\n${calls.join('\n')}\n</minimax:tool_call>`,
    end: '\n</invoke>\n</minimax:tool_call>',
  },
  { name: 'DSML', ...tagged('｜DSML｜', 'tool_calls') },
  { name: 'DSML with r:', ...tagged('｜DSML｜r:', 'tool_calls') },
  { name: 'DSML without its token', ...tagged('', 'tool_calls') },
  { name: 'DSML with doubled ASCII bars', ...tagged('||DSML||', 'function_calls') },
  { name: 'GCML', ...tagged('｜GCML｜', 'tool_calls') },
  { name: 'Muse', ...tagged('atem:', 'function_calls', '') },
  { name: 'dots', ...tagged('', 'dots_function_call', ''), isVerbatim: false },
  {
    name: 'Step 3',
    protocol: 'invoke',
    block: (...calls) => `<｜tool_calls_begin｜>${calls.join('\n')}<｜tool_calls_end｜>`,
    call: (name, ...values) =>
      `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="${name}">${values.join('')}</steptml:invoke><｜tool_call_end｜>`,
    value: (key, value) => `<steptml:parameter name="${key}">${value}</steptml:parameter>`,
    end: '</steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  },
  {
    name: 'MiniCPM5',
    protocol: 'invoke',
    block: (...calls) => calls.join('\n'),
    call: (name, ...values) => `<function name="${name}">${values.join('')}</function>`,
    value: (key, value) => `<param name="${key}">${value}</param>`,
    end: '</function>',
  },
  {
    name: 'MiniMax M3',
    protocol: 'invoke',
    block: (...calls) => `${N}<tool_call>\n${calls.join('\n')}\n${N}</tool_call>`,
    call: (name, ...values) => `${N}<invoke name="${name}">${values.join('')}${N}</invoke>`,
    value: (key, value) => `${N}<${key}>${value}${N}</${key}>`,
    isVerbatim: true,
    end: `${N}</invoke>\n${N}</tool_call>`,
  },
  {
    name: 'Seed-OSS',
    protocol: 'qwen3-coder',
    block: (...calls) => `<seed:tool_call>\n${calls.join('\n')}\n</seed:tool_call>`,
    call: (name, ...values) => `<function=${name}>\n${values.join('\n')}\n</function>`,
    value: (key, value) => `<parameter=${key}>${value}</parameter>`,
    isVerbatim: true,
    end: '\n</function>\n</seed:tool_call>',
  },
  {
    name: 'GLM 4.7',
    ...named('', ''),
    call: (name, ...values) =>
      `<tool_call>${name}${values.join('').replaceAll('>\n<arg', '><arg')}</tool_call>`,
    end: '</tool_call>',
  },
  { name: 'Hy3', ...hy3('') },
  { name: 'Hy3 of a checkpoint', ...hy3(':opensource') },
  { name: 'LongCat', ...named('longcat_', '') },
  {
    name: 'Laguna',
    ...json('', ''),
    protocol: 'glm',
    call: (name, ...values) => `<tool_call>${name}\n{${values.join(',')}}\n</tool_call>`,
    end: '\n</tool_call>',
  },
  { name: 'LongCat JSON', ...json('<longcat_tool_call>', '</longcat_tool_call>') },
  { name: 'Granite 3.1', ...json('<tool_call>[', ']</tool_call>'), end: '</tool_call>' },
  {
    name: 'an object in a function',
    ...json('', '', 'qwen3-coder'),
    call: (name, ...values) =>
      `<tool_call>\n<function=${name}>\n{${values.join(',')}}\n</function>\n</tool_call>`,
    end: '\n</function>\n</tool_call>',
  },
];

const tool = (name: string, keys: readonly string[]): ToolSpec => ({
  name,
  description: '',
  parameters: {
    type: 'object',
    properties: {
      ...Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
      n: { type: 'integer' },
    },
    required: keys,
    additionalProperties: false,
  },
});
const TOOLS = [tool('save', ['path', 'body']), tool('look', ['path'])];

for (const { name, protocol: id, block, call, value, isVerbatim = false, isJson = false, end } of spellings) {
  const protocol = findProtocol(id)!;
  const look = (path = 'a'): string => call('look', value('path', path));
  const save = (body: string): string => call('save', value('path', 'a'), value('body', body));
  const read = (reply: string, options: ParseOptions = {}): string => {
    const shown = (parts: readonly string[]): string => summary(parseText(protocol, parts, TOOLS, options));
    const whole = shown([reply]);
    assert.equal(shown(splitText(reply, 1)), whole);
    for (const at of cutPositions(reply.length))
      assert.equal(shown([reply.slice(0, at), reply.slice(at)]), whole, `cut at ${at}`);
    return whole;
  };
  const quoted = (text: string): string => JSON.stringify(text);
  const saved = (body: string): string => `save {"path":"a","body":${quoted(body)}}`;
  const LOOKED = 'look {"path":"a"}';

  describe(`calls as ${name} writes them`, () => {
    it('are read between prose', () => {
      assert.equal(read(`I look.\n${block(look())}\nDone.`), `text "I look.\\n\\nDone." | ${LOOKED}`);
    });
    it('are read if a block has several', () => {
      const found = read(block(look('a'), look('b')));
      assert.equal(found.replace(/^text "\\n" \| /, ''), `${LOOKED} | look {"path":"b"}`);
    });
    it('keep markup, quotes and lines in their values', () => {
      const body = '<b>"1" & 2</b>\n  {x: [3]}\n\n\\d';
      assert.equal(read(block(save(body))), saved(body));
    });
    it('keep a line break at the end of a value, if the family writes it there', () => {
      assert.equal(read(block(save('x\n'))), saved(isVerbatim ? 'x\n' : 'x'));
      assert.equal(read(block(save('x\r\n'))), saved(isVerbatim ? 'x\r\n' : 'x'));
      assert.equal(read(block(save('\nx'))), saved(isVerbatim ? '\nx' : 'x'));
    });
    it('lose a pair of line breaks around a raw value', () => {
      assert.equal(read(block(save('\nx\n'))), saved(isJson ? '\nx\n' : 'x'));
    });
    it('have the types of the schema', () => {
      const typed = call('look', value('path', '7'), value('n', '7'));
      assert.match(read(block(typed)), /^look \{"path":"7","n":7\}/);
      assert.equal(
        read(block(call('look', value('path', 'a'), value('n', 'x')))),
        'rejects look invalid-argument',
      );
    });
    it('are read if only their end is missing, marked as repaired', () => {
      const reply = block(look());
      assert.ok(reply.endsWith(end));
      assert.match(read(reply.slice(0, -end.length)), /^look \{"path":"a"\} repaired/);
    });
    it('do not run in a reply that ends early', () => {
      const reply = block(look());
      for (const reason of ['length', 'cut'] as const) {
        const cut = parseText(protocol, [reply.slice(0, -end.length)], TOOLS, { reason });
        assert.deepEqual(cut.calls, []);
      }
    });
    it('do not run with half a value', () => {
      const reply = block(save('half of it'));
      for (let at = reply.indexOf('half') + 4; at > 0; at--)
        assert.deepEqual(parseText(protocol, [reply.slice(0, at)], TOOLS).calls, [], reply.slice(0, at));
    });
    it('are rejected with unknown names, and without what they need', () => {
      const unknown = parseText(protocol, [`So:\n${block(call('drop', value('path', 'a')))}`], TOOLS);
      assert.deepEqual(unknown.calls, []);
      assert.match(
        read(block(call('look', value('path', 'a'), value('zoom', 'b')))),
        /^rejects look unknown-argument|^rejects look unclosed/,
      );
      assert.match(read(block(call('save', value('path', 'a')))), /^rejects save missing-argument/);
    });
    it('are rejected with a value given twice', () => {
      assert.match(
        read(block(call('look', value('path', 'a'), value('path', 'b')))),
        /^rejects (?:look )?(?:duplicate-argument|invalid-json)/,
      );
    });
    it('are data inside a value', () => {
      const inner = block(look());
      const found = parseText(protocol, [block(save(inner))], TOOLS);
      assert.deepEqual(
        found.calls.map((each) => [each.name, each.arguments]),
        [['save', { path: 'a', body: isVerbatim ? inner : inner.trim() }]],
      );
    });
    it('are text in code, and not run in thoughts', () => {
      const fenced = `Like:\n\`\`\`\n${block(look())}\n\`\`\`\nSo.`;
      assert.equal(read(fenced), `text ${quoted(fenced)}`);
      const thought = read(`<think>${block(look())}</think>No.`);
      assert.equal(thought, `text "No." | reasoning ${quoted(block(look()))}`);
      assert.deepEqual(
        parseText(protocol, [`Write \`${block(look()).replaceAll('\n', '')}\`.`], TOOLS).calls,
        [],
      );
    });
    it('are recovered by every other protocol', () => {
      for (const other of protocols) {
        if (other.id === id || ['hermes', 'qwen3-coder', 'glm'].includes(other.id)) continue;
        const [found] = parseText(other, [`I look.\n${block(look())}`], TOOLS, { recover: true }).calls;
        assert.deepEqual([found?.arguments, found?.mark], [{ path: 'a' }, 'recovered'], other.id);
      }
    });
  });
}

it('a tool that is called like a mark of models leaves the mark alone', () => {
  const tools = [tool('think', ['path']), tool('look', ['path'])];
  const reply = '<think>\n<path>a</path>\n</think>\nNo.';
  for (const protocol of protocols) {
    const { calls, reasoning, text } = parseText(protocol, [reply], tools, { recover: true });
    assert.deepEqual([calls, reasoning, text], [[], '\n<path>a</path>\n', '\nNo.'], protocol.id);
  }
});

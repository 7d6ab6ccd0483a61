import type { Json, JsonObject } from '../../base/json';
import type { ToolResult } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { textProtocol, type ResultLabel } from '../engine/text-protocol';
import { argumentText, BRIEFLY, describeBriefly } from '../prompt/describe';
import { afterCalls, rules, type PromptParts } from '../prompt/tool-prompt';
import type { Rule } from '../../core/words/grammar';
import type { CallRules } from '../grammar/call-grammar';
import { rawWay, type RawForm, type RawWay } from '../grammar/raw-values';
import { sequence, type GrammarBuilder } from '../grammar/rules';
import { unusualKeys, VcpBlock, vcpOpeners, type VcpForm } from './vcp-block';
import { decoded, END, START } from './vcp-fields';

const RESULT = { open: '<<<[TOOL_RESULT]>>>', close: '<<<[END_TOOL_RESULT]>>>' };
const DEFINITION = { open: '<<<[TOOL_DEFINITION]>>>', close: '<<<[END_TOOL_DEFINITION]>>>' };

/**
 * VCP (Variable & Command Protocol): calls as text between markers, values between 「始」 and 「末」. From
 * lioensky/VCPToolBox and AIO Hub. A value runs verbatim to a 「末」 that is followed by another part of the block; a
 * value that contains such marks itself is written between 「始ESCAPE」 and 「末ESCAPE」, or with any other label.
 */
export const vcp = textProtocol({
  id: 'vcp',
  label: 'VCP',
  description: 'Calls as text between markers; for models and gateways without tools.',
  sign: /<<<\[TOOL_REQUEST\]>>>/,
  describeTool: describeBriefly,
  prompt,
  renderCall: ({ id = '', name, arguments: args }) => {
    const pairs: [string, Json][] = id === '' ? [] : [['request_id', id]];
    return block(START, [['tool_name', name], ...pairs, ...fields(args)], END);
  },
  markers: [
    ...[START, END, RESULT.open, RESULT.close, DEFINITION.open, DEFINITION.close],
    ...['「始」', '「末」', '「始ESCAPE」', '「末ESCAPE」'],
  ],
  renderResult,
  stop: [RESULT.open],
  calls: { open: `${START}\ntool_name:`, close: END, call: callRule },
  reader: (tools, strictness) => {
    const form: VcpForm = {
      tools,
      unusualKeys: unusualKeys(tools ?? []),
      isLenient: strictness === 'lenient',
    };
    return {
      id: 'vcp',
      openers: vcpOpeners(form),
      closers: [END],
      resultOpeners: [RESULT.open],
      block: (reply, opener) => new VcpBlock(reply, opener, form).read(),
    };
  },
});

function callRule(tool: ToolSpec, rules: CallRules): Rule {
  return sequence(`${quote(tool.name)}\n`, ...rules.rawArguments(tool, rawForm));
}

/** Plain values contain no mark; those that do get a label, inside which every other mark is data. */
function rawForm(build: GrammarBuilder): RawForm {
  const way = (label: string, id: string, tokens: readonly string[], isForTexts = false): RawWay => {
    const open = build.shared(`${id}o`, `「始${label}」`);
    const close = build.shared(`${id}c`, `「末${label}」`);
    const around = (value: Rule): Rule => sequence(open, value, close);
    return rawWay(build, { id, tokens, around, isForTexts });
  };
  return {
    ways: [
      way('', 'v', ['「始」', '「末」', '<<<[']),
      // Parts of its marks, and of what is decoded.
      way('ESCAPE', 'e', ['始ES', '末ES', 'T_ESC'], true),
      way('exp', 'x', ['始ex', '末ex'], true),
    ],
    written: quote,
    pair: (key, value) => sequence(`${key}:`, value, '\n'),
  };
}

function prompt({ tools, example, formType, steps }: PromptParts): string {
  return [
    `You can call these tools. ${BRIEFLY}\n${[DEFINITION.open, ...tools, DEFINITION.close].join('\n')}`,
    `To call one, write a block of exactly this form:\n${block(START, [['tool_name', example.name], ...fields(example.arguments)], END)}`,
    rules(
      formType,
      'A value is taken verbatim: no quotes, no escapes; it may have many lines. Lists and objects are JSON.',
      'A value that itself contains 「始」, 「末」 or one of the markers is written as key:「始ESCAPE」value「末ESCAPE」.',
      ...afterCalls('block', `between ${RESULT.open} and ${RESULT.close}`, steps),
    ),
  ].join('\n\n');
}

function fields(args: JsonObject): [string, Json][] {
  return Object.entries(args);
}

function block(start: string, pairs: readonly (readonly [string, Json])[], end: string): string {
  return [start, ...pairs.map(([key, value]) => `${key}:${quote(argumentText(value))}`), end].join('\n');
}

/** Puts a text between marks that it does not contain itself. */
function quote(text: string): string {
  const label = labels(text);
  return `「始${label}」${text}「末${label}」`;
}

function labels(text: string): string {
  if (!/「[始末]|<<<\[/.test(text)) return '';
  // With the label ESCAPE, some spellings are decoded; a text that contains them gets another label.
  const free = (label: string): boolean =>
    !text.includes(`「始${label}」`) &&
    !text.includes(`「末${label}」`) &&
    !(label === 'ESCAPE' && decoded(text) !== text);
  for (let count = 0; ; count++) {
    const label = count === 0 ? 'ESCAPE' : count === 1 ? 'exp' : `ESCAPE${count}`;
    if (free(label)) return label;
  }
}

/** No label is needed: results contain no marks any more. */
function renderResult({ result }: ToolResult, { name, status }: ResultLabel): string {
  const facts = [
    ...(name === undefined ? [] : [`tool_name:「始」${name}「末」`]),
    ...(status === undefined ? [] : [`status:「始」${status}「末」`]),
  ];
  return [RESULT.open, ...facts, result, RESULT.close].join('\n');
}

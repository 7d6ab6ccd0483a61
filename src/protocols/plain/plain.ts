import type { Json, JsonObject } from '../../base/json';
import type { Rule } from '../../core/words/grammar';
import type { ToolResult } from '../../core/words/messages';
import type { RenderedPart } from '../../core/words/protocol';
import type { JsonSchema } from '../../core/words/schema';
import { listedValues, resolvedSchema, typesOf } from '../../core/words/schema-types';
import type { ToolSpec } from '../../core/words/tool';
import { textProtocol, type ResultLabel } from '../engine/text-protocol';
import type { CallRules } from '../grammar/call-grammar';
import { RawValues, type RawWay } from '../grammar/raw-values';
import { chars, choice, optional, repeat, sequence, text, type GrammarBuilder } from '../grammar/rules';
import { JSON_NOTATION } from '../grammar/schema-values';
import { THOUGHT_LIMIT } from '../grammar/strict-schema';
import { argumentText, innerLines, typeText } from '../prompt/describe';
import { rules as listed, type PromptParts } from '../prompt/tool-prompt';
import {
  BLOCK_LABELS,
  blockOf,
  END,
  escapedLine,
  FINISH,
  isBlockName,
  labelOf,
  LINE_MARKS,
  lineOf,
  nameLine,
  RESULT,
  THOUGHT_OPENERS,
  TOOL_OPENERS,
} from './lines';
import { FactRules } from './fact-rules';
import { readStep } from './step';

/**
 * One step as plain text: a line with the thought, a line with the tool, and its fields up to an end mark; the answer is
 * one of the tools. For small models: what they copy looks as they saw it, and nothing is quoted or closed.
 */
export const plain = textProtocol({
  id: 'plain',
  label: 'Plain',
  description: 'One step as plain lines: a thought, a tool and its fields; for small models.',
  sign: /^(?:\*\*)?Tool:(?:\*\*)? ?[\w.-]+[ \t\r]*$/m,
  describeTool,
  prompt,
  renderWhole,
  // They count only at the beginning of a line.
  markers: LINE_MARKS.map((mark) => `\n${mark}`),
  renderResult,
  // A text that ends replies would also end files in which it occurs.
  stop: [],
  calls: { open: thoughtAndTool, close: END, call: callRule, answer: answerRule },
  reader: (tools) => {
    const openers = [...THOUGHT_OPENERS, ...TOOL_OPENERS];
    return {
      id: 'plain',
      openers,
      lineOpeners: openers,
      resultOpeners: [RESULT],
      mayBeFenced: true,
      block: (reply, opener, fence) => readStep(reply, opener, fence, tools),
    };
  },
});

/** A text before a call is its thought; without a call, it is the answer. */
function renderWhole(parts: readonly RenderedPart[]): string {
  const filled = parts.filter((part) => part.type === 'call' || part.text.trim() !== '');
  const said = filled.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
  if (said.length > 0 && said.length === filled.length)
    return step(FINISH, `Answer: ${said.join('\n\n').split('\n').map(escapedLine).join('\n')}\n`);
  const rendered = filled.map((part, at) => {
    const next = filled[at + 1];
    if (part.type === 'call')
      return step(nameLine(part.call.name), fieldsOf(part.call.arguments)) + (next ? '\n\n' : '');
    return next?.type === 'call' ? `Thought: ${part.text.trim()}\n` : part.text.trim();
  });
  return rendered.join('');
}

function step(name: string, fields: string): string {
  return `Tool: ${name}\n${fields}${END}`;
}

/** What is one line stands first, because only an end mark or another text ends a text of many lines. */
function fieldsOf(args: JsonObject): string {
  const isBlock = ([key, value]: readonly [string, Json]): boolean =>
    typeof value === 'string' && isBlockName(key);
  const entries = Object.entries(args);
  return [...entries.filter((each) => !isBlock(each)), ...entries.filter(isBlock)]
    .map(([key, value]) => {
      if (typeof value !== 'string') return `${labelOf(key)}: ${argumentText(value)}\n`;
      return isBlockName(key) ? `${labelOf(key)}:\n${blockOf(value)}` : `${labelOf(key)}: ${lineOf(value)}\n`;
    })
    .join('');
}

function renderResult({ toolName, result }: ToolResult, { status }: ResultLabel): string {
  return `${RESULT}${toolName}${status === undefined ? '' : ` (${status})`}:\n${result}`;
}

function prompt({ tools, formType }: PromptParts): string {
  const answer = step(FINISH, 'Answer: ANSWER\n');
  return [
    `You can call tools. Every reply is one step: a line that begins with Thought: and says in your own words what you do and why, then the lines of one tool, and ${END}. The tools:`,
    ...tools,
    `${FINISH}: gives the user your answer, when the task is done or needs no tool.\n${answer}`,
    listed(
      formType,
      'A value behind a name is one line; lists and objects are JSON. A text below a name is taken as it is, without quotes or escapes.',
      `If a line of such a text begins with ${END}, Tool: or the name of a field, write a backslash before it: \\${END}.`,
      {
        free: `After ${END}, stop: the result comes in the next message, behind "${RESULT}" and the tool. Never write results yourself.`,
      },
      { free: 'Never put a step inside a code fence or inside thinking.' },
    ),
  ].join('\n\n');
}

/** A tool as the step that calls it: what it needs with placeholders, the rest in a list. */
function describeTool({ name, description, parameters }: ToolSpec): string {
  const properties = Object.entries(parameters.properties ?? {}).map(
    ([key, schema]) => [key, resolvedSchema(schema, parameters)] as const,
  );
  const isNeeded = (key: string): boolean => parameters.required?.includes(key) ?? false;
  const placeholders = properties
    .filter(([key]) => isNeeded(key))
    .map(([key, schema]) => placeholder(key, schema, parameters));
  const fields = [
    ...placeholders.filter(({ isBlock }) => !isBlock),
    ...placeholders.filter(({ isBlock }) => isBlock),
  ];
  const about = properties.flatMap(([key, schema]) => {
    const { description: explained } = schema;
    const inner = innerLines(schema, parameters, 0);
    if (isNeeded(key) && explained === undefined && inner.length === 0) return [];
    const facts = isNeeded(key) ? '' : ` (optional, ${typeText(schema, parameters)})`;
    return [`- ${labelOf(key)}${facts}${explained === undefined ? '' : `: ${explained}`}`, ...inner];
  });
  const form = step(nameLine(name), fields.map(({ field }) => field).join(''));
  return [`${name}: ${description}`, ...about, form].join('\n');
}

function placeholder(
  key: string,
  schema: JsonSchema,
  whole: JsonSchema,
): { readonly field: string; readonly isBlock: boolean } {
  const word =
    key
      .replace(/[^A-Za-z0-9]+/g, ' ')
      .trim()
      .toUpperCase() || 'VALUE';
  if (isBlock(key, schema, whole)) return { field: `${labelOf(key)}:\n${word}\n`, isBlock: true };
  const type = typeText(schema, whole);
  return { field: `${labelOf(key)}: ${type === 'string' ? word : type}\n`, isBlock: false };
}

/** Whether an argument is a text of many lines. */
function isBlock(key: string, schema: JsonSchema, whole: JsonSchema): boolean {
  const types = typesOf(schema, whole).filter((type) => type !== 'null');
  const isListed = listedValues(schema) !== undefined;
  return isBlockName(key) && !isListed && types.length === 1 && types[0] === 'string';
}

function thoughtAndTool({ build }: CallRules): Rule {
  const thought = build.once('line-of-thought', () =>
    repeat(chars('^\u0000-\u001f\u007f'), 1, THOUGHT_LIMIT),
  );
  return sequence('Thought: ', thought, '\nTool: ');
}

/** Small models go on for ever where nothing ends an answer. */
const ANSWER_LINE = 400;
/** Lines behind the first. */
const ANSWER_LINES = 60;

/**
 * A short answer is one line. It may end without the end mark: a model that has said what it has to say ends its reply,
 * and writes anything where it must not.
 */
function answerRule(rules: CallRules): Rule {
  const { build, isAnswerShort } = rules;
  // The end mark within a line would be meant as the end.
  const part = choice(chars('^\n<'), sequence('<', chars('^\n<')));
  const rest = build.once('rest-of-answer-line', () => repeat(part, 0, ANSWER_LINE));
  const first = sequence(chars('^\u0000- \u007f<\\`'), rest);
  const line = (): Rule =>
    choice(
      text(''),
      sequence(chars('^\u0000-\u0008\u000b-\u001f\u007f\n<\\T'), rest),
      sequence('T', choice(text(''), sequence(chars('^\no<'), rest))),
    );
  const others = isAnswerShort
    ? text('')
    : repeat(sequence('\n', build.once('answer-line', line)), 0, ANSWER_LINES);
  return sequence(thoughtAndTool(rules), `${FINISH}\nAnswer: `, first, others, optional(`\n${END}`));
}

/** Characters behind a name: small models go on with one sign for ever. A longer value is a JSON text. */
const FIELD_LINE = 500;

/** The fields of a tool in the order in which they are rendered. */
function callRule({ name, parameters, names = {} }: ToolSpec, rules: CallRules): Rule {
  const { build } = rules;
  const facts = FactRules.of(rules);
  const pair = (key: string, value: Rule): Rule => sequence(`${labelOf(key)}: `, value, '\n');
  const values = new RawValues(build, parameters, { ways: [lineWay(rules)], written: lineOf, pair });
  const block = build.once('text', () => repeat(sequence(blockLineRule(build), '\n')));
  const known = (key: string): Rule | undefined => {
    if (names[key] === 'file') return facts?.file();
    if (names[key] === 'unread') return facts?.unread();
    return names[key] === 'folder' ? facts?.folder() : undefined;
  };
  const properties = Object.entries(parameters.properties ?? {}).map(([key, given]) => {
    const schema = resolvedSchema(given, parameters);
    const isText = isBlock(key, schema, parameters);
    const field = isText
      ? sequence(`${labelOf(key)}:\n`, block)
      : pair(key, known(key) ?? values.value(given, { key, name: `${name}-${key}` }));
    return { key, isText, rule: parameters.required?.includes(key) ? field : optional(field) };
  });
  const ordered = [
    ...properties.filter(({ isText }) => !isText),
    ...properties.filter(({ isText }) => isText),
  ];
  const [first, second, ...others] = ordered;
  const lines = facts && first && second && names[first.key] === 'file' && names[second.key] === 'lines';
  if (!lines) return sequence(`${nameLine(name)}\n`, ...ordered.map(({ rule }) => rule));
  const byFile = facts.lines();
  const other = facts.editable();
  const [path, old] = [`${labelOf(first.key)}: `, `${labelOf(second.key)}:\n`];
  const edits = [...byFile].map(([file, rule]) => sequence(path, lineOf(file), '\n', old, rule));
  const free = other ? sequence(path, other, '\n') : first.rule;
  return sequence(
    `${nameLine(name)}\n`,
    choice(...edits, sequence(free, second.rule)),
    ...others.map(({ rule }) => rule),
  );
}

/** Removed around a value, as others are; some servers misread characters beyond ASCII here. */
const TRIMMED = ' ';

/** A text behind its name: as it is, or as JSON. Blanks at its ends would be lost. */
function lineWay(rules: CallRules): RawWay {
  const { build } = rules;
  const plain = (name: string, first = ''): Rule =>
    build.once(name, () => {
      const edge = (others: string): Rule => chars(`^\u0000-\u001f\u007f${TRIMMED}${others}`);
      const rest = sequence(
        build.once('line-rest', () => repeat(chars('^\u0000-\u001f\u007f'), 0, FIELD_LINE)),
        edge(''),
      );
      return sequence(edge(`"${first}`), optional(rest));
    });
  const [json, jsonPath] = [false, true].map((isPath) => rules.jsonText(isPath));
  return {
    any: choice(plain('line'), json ?? text('')),
    path: () => choice(plain('line'), jsonPath ?? text('')),
    unlisted: () => choice(plain('unlisted', '['), json ?? text('')),
    json: JSON_NOTATION,
    around: (value) => value,
  };
}

/** A line of a text that begins like no line of the form; those are written with a backslash. */
function blockLineRule(build: GrammarBuilder): Rule {
  const [tool = ''] = TOOL_OPENERS;
  return build.once('line-of-text', () => lineWithout(build, [END, tool, ...BLOCK_LABELS]));
}

/** What a line is that begins with none of the texts. */
function lineWithout(build: GrammarBuilder, begun: readonly string[], rest = restRule(build)): Rule {
  const firsts = [...new Set(begun.map(([first = '']) => first))];
  const others: Rule = {
    type: 'char',
    set: { isNegated: true, ranges: ['\n', ...firsts].map((char) => [char, char] as const) },
  };
  const ways = firsts.flatMap((first) => {
    const rests = begun.filter((each) => each.startsWith(first)).map((each) => each.slice(first.length));
    return rests.includes('') ? [] : [sequence(first, lineWithout(build, rests, rest))];
  });
  return choice(text(''), sequence(others, rest), ...ways);
}

function restRule(build: GrammarBuilder): Rule {
  return build.once('rest-of-line', () => repeat(chars('^\n')));
}

import type { Grammar, GrammarOptions, Rule } from '../../core/words/grammar';
import { typesOf, type JsonSchema } from '../../core/words/schema';
import type { ToolSpec } from '../../core/words/tool';
import { freeText, without } from './free-text';
import { jsonNotation, SchemaValues, type Notation } from './schema-values';
import { chars, choice, GrammarBuilder, optional, repeat, sequence, text } from './rules';

/** How the calls of a protocol are spelled, as rules, in the spelling that the prompt teaches. */
export interface CallForm {
  /** What stands around each call. */
  readonly open: string | ((rules: CallRules) => Rule);
  readonly close: string;
  /** A call of this tool, from its name on. */
  readonly call: (tool: ToolSpec, rules: CallRules) => Rule;
  /** Between the calls of one block; a block has one call if not given. */
  readonly separator?: string;
  /** It counts at the beginning of a line only, with nothing behind it there. */
  readonly isLine?: boolean;
  /** The whole reply is one block, or this where nothing is called. */
  readonly answer?: (rules: CallRules) => Rule;
}

/** `{"name": …, "arguments": …}` in lines of its own between two tags. */
export function taggedForm({ open, close }: { readonly open: string; readonly close: string }): CallForm {
  return {
    open: `${open}\n{"name":`,
    close: `}\n${close}`,
    call: (tool, rules) => rules.jsonCall(tool),
  };
}

/** `{"name": …, "arguments": …}` in a list. */
export function listForm(open: string, close: string): CallForm {
  return {
    open,
    close,
    separator: ',',
    call: (tool, rules) => sequence('{"name":', rules.jsonCall(tool), '}'),
  };
}

/** What forms share. */
export class CallRules {
  constructor(readonly build: GrammarBuilder) {}

  /** The arguments of a tool as one JSON object. `kept`: characters that no text in it may hold. */
  jsonArguments({ name, parameters }: ToolSpec, kept = ''): Rule {
    return this.values({ name, parameters }, jsonNotation(kept)).object(parameters, name);
  }

  /** The values of a tool in another notation. */
  values({ parameters }: Pick<ToolSpec, 'name' | 'parameters'>, notation: Notation): SchemaValues {
    return new SchemaValues(this.build, parameters, notation);
  }

  /** `name(key=value, …)`, or with other signs in the place of these two, up to the bracket that closes it. */
  literalCall(
    { name, parameters }: ToolSpec,
    notation: Notation,
    [bracket, separator]: [string, string],
  ): Rule {
    const values = this.values({ name, parameters }, notation);
    return sequence(
      `${name}${bracket}`,
      values.properties(parameters, name, (key) => text(`${key}${separator}`)),
    );
  }

  /** Any text as JSON. */
  jsonText(): Rule {
    return new SchemaValues(this.build, {}).string();
  }

  /** `"read_file", "arguments": {…}`, behind `"name":`. */
  jsonCall(tool: ToolSpec): Rule {
    const blank = this.build.once('blank', () => optional(' '));
    const behind = this.build.once('arguments', () => sequence(',', blank, '"arguments":', blank));
    return sequence(blank, JSON.stringify(tool.name), behind, this.jsonArguments(tool));
  }

  /**
   * The arguments of a tool one behind the other, in the order of the schema. Texts are raw and hold none of `tokens`;
   * every other value is JSON, in which no text holds one of `kept`.
   */
  rawArguments({ name, parameters }: ToolSpec, { tokens, kept, pair }: RawForm): readonly Rule[] {
    return Object.entries(parameters.properties ?? {}).map(([key, property]) => {
      const json = new SchemaValues(this.build, parameters, jsonNotation(kept));
      const value = this.rawValue(property, { key, tokens, json, name: `${name}-${key}` });
      const rule = pair(key, value, value === this.raw);
      return parameters.required?.includes(key) ? rule : optional(rule);
    });
  }

  private rawValue(
    schema: JsonSchema,
    { key, tokens, json, name }: { key: string; tokens: readonly string[]; json: SchemaValues; name: string },
  ): Rule {
    const named = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    if (named)
      return choice(...named.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))));
    const types = typesOf(schema).filter((type) => type !== 'null');
    if (types.length > 0 && !types.includes('string')) {
      const values = types.map((type) => json.value({ ...schema, type }, name));
      return choice(...values);
    }
    // A name or path holds no control characters, and nothing that may be a mark.
    if (PATH_KEY.test(key))
      return this.build.once('path', () => repeat(chars('^\u0000-\u001f\u007f<「`'), 1));
    if (this.raw === undefined) this.raw = without(this.build, 'v', tokens)();
    return this.raw;
  }

  private raw: Rule | undefined;
}

interface RawForm {
  readonly tokens: readonly string[];
  readonly kept: string;
  /** What stands around a value. */
  readonly pair: (key: string, value: Rule, isRaw: boolean) => Rule;
}

/** As arguments are called that say where something is; `engine/calls.ts` notes control characters in them. */
const PATH_KEY = /^(from|to|cwd|glob)$|(path|file|folder|directory|dir)s?$/i;

/** What replies with calls of these tools look like. `marks`: what every parser reacts to, of all forms. */
export function callGrammar(
  form: CallForm,
  tools: readonly ToolSpec[],
  marks: readonly string[],
  { isNeeded = false, thinking }: GrammarOptions = {},
): Grammar {
  const build = new GrammarBuilder();
  const rules = new CallRules(build);
  const thought = thoughtRule(build, thinking);
  const answer = form.answer?.(rules);
  if (tools.length === 0) return build.build(sequence(thought, answer ?? freeText(build, marks)('\n')));

  const open = typeof form.open === 'string' ? text(form.open) : form.open(rules);
  const call = choice(...tools.map((tool) => build.add(tool.name, form.call(tool, rules))));
  const block = build.add('call', sequence(open, listed(build, call, form.separator), form.close));
  if (answer) return build.build(sequence(thought, isNeeded ? block : choice(block, answer)));

  if (!form.isLine) {
    const said = freeText(build, marks);
    const rest = build.add('rest', repeat(sequence(block, said())));
    return build.build(sequence(thought, isNeeded ? sequence(block, said()) : said('\n'), rest));
  }
  // Nothing else stands on the lines of a call.
  const said = freeText(build, [...marks, `\n${open.type === 'text' ? open.text : ''}`]);
  const behind = build.add('behind', optional(sequence('\n', said('\n'))));
  const rest = build.add('rest', repeat(sequence('\n', block, behind)));
  const called = sequence(block, behind, rest);
  return build.build(sequence(thought, isNeeded ? called : choice(called, sequence(said('\n'), rest))));
}

function listed(build: GrammarBuilder, call: Rule, separator: string | undefined): Rule {
  if (separator === undefined) return call;
  const one = build.add('one', call);
  return sequence(one, repeat(sequence(separator, optional(' '), one)));
}

function thoughtRule(build: GrammarBuilder, thinking: GrammarOptions['thinking']): Rule {
  if (thinking === undefined) return text('');
  const rest = sequence(without(build, 'thought', ['<think', '</think'])(), '</think>\n');
  return thinking === 'opened' ? rest : optional(sequence('<think>', rest));
}

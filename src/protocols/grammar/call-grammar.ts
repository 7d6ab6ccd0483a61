import type { Grammar, GrammarOptions, Rule } from '../../core/words/grammar';
import { typesOf, type JsonSchema } from '../../core/words/schema';
import type { ToolSpec } from '../../core/words/tool';
import { freeText, without } from './free-text';
import { JsonValues } from './json-values';
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
  /** It counts at the beginning of a line only. */
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
    return new JsonValues(this.build, parameters, kept).object(parameters, name);
  }

  /** Any text as JSON. */
  jsonText(): Rule {
    return new JsonValues(this.build, {}).string();
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
      const json = new JsonValues(this.build, parameters, kept);
      const value = this.rawValue(property, { key, tokens, json, name: `${name}-${key}` });
      const rule = pair(key, value, value === this.raw);
      return parameters.required?.includes(key) ? rule : optional(rule);
    });
  }

  private rawValue(
    schema: JsonSchema,
    { key, tokens, json, name }: { key: string; tokens: readonly string[]; json: JsonValues; name: string },
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
  { isNeeded = false, mayThink = false }: GrammarOptions = {},
): Grammar {
  const build = new GrammarBuilder();
  const rules = new CallRules(build);
  const calls = tools.map((tool) => build.add(tool.name, form.call(tool, rules)));
  const one = form.separator === undefined ? choice(...calls) : build.add('one', choice(...calls));
  const all =
    form.separator === undefined ? one : sequence(one, repeat(sequence(form.separator, optional(' '), one)));
  const block = build.add(
    'call',
    sequence(typeof form.open === 'string' ? form.open : form.open(rules), all, form.close),
  );
  const thought = mayThink ? optional(thinking(build)) : text('');
  if (form.answer) {
    const answer = form.answer(rules);
    return build.build(
      sequence(thought, isNeeded ? block : tools.length === 0 ? answer : choice(block, answer)),
    );
  }
  const said = freeText(build, marks);
  const begun = form.isLine ? sequence('\n', block) : block;
  const rest = build.add('rest', repeat(sequence(begun, said())));
  if (isNeeded) return build.build(sequence(thought, block, said(), rest));
  const first = form.isLine
    ? choice(sequence(said('\n'), rest), sequence(block, said(), rest))
    : sequence(said('\n'), rest);
  return build.build(tools.length === 0 ? sequence(thought, said('\n')) : sequence(thought, first));
}

function thinking(build: GrammarBuilder): Rule {
  return sequence('<think>', without(build, 'thought', ['<think', '</think'])(), '</think>', '\n');
}

import type { Grammar, GrammarOptions, Rule } from '../../core/words/grammar';
import type { ToolSpec } from '../../core/words/tool';
import { freeText, without } from './free-text';
import { RawValues, type RawForm } from './raw-values';
import { choice, GrammarBuilder, optional, repeat, sequence, text } from './rules';
import { JSON_NOTATION, SchemaValues, type Notation } from './schema-values';

/** How the calls of a protocol are spelled, as rules, in the spelling that the prompt teaches. */
export interface CallForm {
  /** The delimiters of each call. */
  readonly open: string | ((rules: CallRules) => Rule);
  readonly close: string;
  /** A call of this tool, from its name on. */
  readonly call: (tool: ToolSpec, rules: CallRules) => Rule;
  /** Between the calls of one block; without it, a block has one call. */
  readonly separator?: string;
  /** It counts only at the beginning of a line, with nothing after it on that line. */
  readonly isLine?: boolean;
  /** The whole reply is one block, or this if nothing is called. */
  readonly answer?: (rules: CallRules) => Rule;
}

/** `{"name": …, "arguments": …}` on separate lines between two tags. */
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

/** Rules that the forms share. */
export class CallRules {
  constructor(
    readonly build: GrammarBuilder,
    /** What is known of the workspace, for forms that use it. */
    readonly facts?: GrammarOptions['facts'],
  ) {}

  /** The arguments of a tool as one object. */
  objectArguments({ name, parameters }: ToolSpec, notation?: Notation): Rule {
    return new SchemaValues(this.build, parameters, notation).argumentsObject(name);
  }

  /** `name(key=value, …)` up to the closing bracket. `head` precedes each value. */
  literalCall(
    { name, parameters }: ToolSpec,
    notation: Notation,
    bracket: string,
    head: (key: string) => string,
  ): Rule {
    const values = new SchemaValues(this.build, parameters, notation);
    return sequence(
      name,
      bracket,
      values.arguments(name, (key) => text(head(key))),
    );
  }

  /** Any text as JSON, or any name or path. */
  jsonText(isPath = false): Rule {
    return new SchemaValues(this.build, {}, JSON_NOTATION, isPath).string();
  }

  /** `"read_file", "arguments": {…}`, after `"name":`. */
  jsonCall(tool: ToolSpec): Rule {
    const blank = this.build.once('blank', () => optional(' '));
    const behind = this.build.once('arguments', () => sequence(',', blank, '"arguments":', blank));
    return sequence(blank, JSON.stringify(tool.name), behind, this.objectArguments(tool));
  }

  /** The arguments of a tool in sequence, in the order of the schema. */
  rawArguments({ name, parameters }: ToolSpec, formOf: (build: GrammarBuilder) => RawForm): readonly Rule[] {
    const form = (this.rawForm ??= formOf(this.build));
    const values = new RawValues(this.build, parameters, form);
    return Object.entries(parameters.properties ?? {}).map(([key, property]) => {
      const rule = form.pair(key, values.value(property, { key, name: `${name}-${key}` }));
      return parameters.required?.includes(key) ? rule : optional(rule);
    });
  }

  private rawForm: RawForm | undefined;
}

/** The grammar of replies with calls of these tools. `marks`: what every parser reacts to, in all forms. */
export function callGrammar(
  form: CallForm,
  tools: readonly ToolSpec[],
  marks: readonly string[],
  { isNeeded = false, thinking, steps, facts }: GrammarOptions = {},
): Grammar {
  const build = new GrammarBuilder();
  const rules = new CallRules(build, facts);
  const thought = thoughtRule(build, thinking);
  const answer = form.answer?.(rules);
  if (tools.length === 0) return build.build(sequence(thought, answer ?? freeText(build, marks)('\n')));

  const open = typeof form.open === 'string' ? text(form.open) : form.open(rules);
  const call = choice(...tools.map((tool) => build.add(tool.name, form.call(tool, rules))));
  const block = build.add(
    'call',
    sequence(open, listed(build, call, steps === 'one' ? undefined : form.separator), form.close),
  );
  if (answer) return build.build(sequence(thought, isNeeded ? block : choice(block, answer)));

  if (!form.isLine) {
    const said = freeText(build, marks);
    if (steps === 'one')
      return build.build(sequence(thought, isNeeded ? block : sequence(said('\n'), optional(block))));
    const rest = build.add('rest', repeat(sequence(block, said())));
    return build.build(sequence(thought, isNeeded ? sequence(block, said()) : said('\n'), rest));
  }
  // The lines of a call contain nothing else.
  const said = freeText(build, [...marks, `\n${open.type === 'text' ? open.text : ''}`]);
  if (steps === 'one') {
    const later = sequence(said('\n'), optional(sequence('\n', block)));
    return build.build(sequence(thought, isNeeded ? block : choice(block, later)));
  }
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
  const rest = sequence(without(build, 'thought', ['<think', '</think'])(), '</think>');
  if (thinking === 'opened') return sequence(rest, '\n');
  return optional(sequence('<think>', rest, optional('\n')));
}

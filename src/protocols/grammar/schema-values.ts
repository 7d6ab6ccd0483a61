import type { CharSet, Rule } from '../../core/words/grammar';
import { isForbiddenKey, type Json } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { listedValues, pointedAt, resolvedSchema, typesOf, unionOf } from '../../core/words/schema-types';
import { PATH_KEY } from '../engine/calls';
import { without } from './free-text';
import { integerRule, numberRule } from './numbers';
import { chars, choice, optional, repeat, sequence, text, type GrammarBuilder } from './rules';

/** How values are written. */
export interface Notation {
  /** Prefix of its rules' names. */
  readonly id: string;
  readonly text: (build: GrammarBuilder) => Rule;
  /** A name or path: a text without control characters. */
  readonly path: (build: GrammarBuilder) => Rule;
  readonly literal: (value: Json) => string;
  readonly key: (name: string) => string;
  /** Blanks after commas, and after colons if `isWide`. */
  readonly isWide: boolean;
}

export const CONTROL = [
  ['\u0000', '\u001f'],
  ['\u007f', '\u007f'],
] as const;

/**
 * A text between double quotes. `escapes`: what may follow a backslash; control characters have escapes, too. `part`:
 * what it contains.
 */
export function quoted(escapes?: string, part?: string): Rule {
  return between(escapeRule(escapes), part);
}

function escapeRule(escapes = '"\\/bfnrt'): Rule {
  const hex = chars('0-9a-f');
  return choice(chars(escapes), sequence('u00', hex, hex));
}

/** A text between double quotes that has no control characters. */
export function quotedPath(escapes = '"\\/', part?: string): Rule {
  return between(chars(escapes), part, '\u007f');
}

function between(escape: Rule, part?: string, others = ''): Rule {
  const any = repeat(choice(chars(`^"\\\u0000-\u001f${others}`), sequence('\\', escape)));
  return sequence('"', any, ...(part === undefined ? [] : [part, any]), '"');
}

/** As `JSON.stringify` writes it, or with one blank after colons and commas. */
export const JSON_NOTATION: Notation = {
  id: '',
  text: () => quoted(),
  path: () => quotedPath(),
  literal: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  isWide: true,
};

/** JSON whose texts contain none of the tokens. */
export function jsonWithout(
  id: string,
  tokens: readonly string[],
  wordsBehind: readonly string[] = [],
): Notation {
  if (tokens.length === 0) return JSON_NOTATION;
  const literal = (value: Json): string => {
    const written = JSON.stringify(value);
    return tokens.reduce((json, token) => json.replaceAll(token, escapedFirst), written);
  };
  const [breaks] = CONTROL;
  // A mark that begins beyond ASCII is broken up by an escape, too.
  const firsts = new Set(
    tokens.flatMap((token) => (/^[^\u0000-\u007f]/.test(token) ? [token.slice(0, 1)] : [])),
  );
  const coded = [...firsts].map((first) => escapedFirst(first).slice(1));
  const textOf = (
    build: GrammarBuilder,
    name: string,
    escape: Rule,
    control: CharSet['ranges'] = [breaks],
  ): Rule => {
    const others = [{ first: '\\', rule: sequence('\\', choice(escape, ...coded)), then: '' }];
    const never = [...control, ['"', '"'] as const];
    return sequence('"', without(build, name, tokens, { others, never, wordsBehind })(), '"');
  };
  return {
    id,
    text: (build) => textOf(build, `${id}s`, escapeRule()),
    path: (build) => textOf(build, `${id}p`, chars('"\\/'), [...CONTROL]),
    literal,
    key: literal,
    isWide: true,
  };
}

/** `\u003c` for `<`. */
function escapedFirst(token: string): string {
  return `\\u${token.charCodeAt(0).toString(16).padStart(4, '0')}${token.slice(1)}`;
}

/** The values that schemas allow, in some notation. */
export class SchemaValues {
  constructor(
    private readonly build: GrammarBuilder,
    private readonly whole: JsonSchema,
    private readonly notation: Notation = JSON_NOTATION,
    /** Whether texts are names or paths. */
    private readonly isPath = false,
  ) {}

  /** The value of an argument. */
  argument(key: string, schema: JsonSchema, name: string): Rule {
    return (PATH_KEY.test(key) ? this.withTexts(true) : this).value(schema, name);
  }

  /** A value; an untyped schema allows any JSON. */
  value(given: JsonSchema, name: string): Rule {
    if (given.$ref !== undefined || given.allOf) return this.referred(given);
    return this.resolved(resolvedSchema(given, this.whole), name);
  }

  private resolved(schema: JsonSchema, name: string): Rule {
    const values = listedValues(schema);
    if (values) return choice(...values.map((each) => this.notation.literal(each)));
    const members = unionOf(schema);
    if (members.length > 0)
      return choice(...members.map((member, at) => this.value(member, `${name}-${at + 1}`)));
    const types = typesOf(schema, this.whole);
    if (types.length === 0) return this.any();
    return choice(...types.map((type) => this.typed(type, schema, name)));
  }

  /** All arguments as one object. */
  argumentsObject(name: string): Rule {
    return this.object(this.whole, name, this.argument.bind(this));
  }

  /** All arguments, each after its head. */
  arguments(name: string, head: (key: string) => Rule): Rule {
    return this.properties(this.whole, name, head, this.argument.bind(this));
  }

  /** An object with the properties of a schema, in its order. */
  private object(schema: JsonSchema, name: string, valueOf = this.property.bind(this)): Rule {
    if (this.isPath) return this.withTexts(false).object(schema, name);
    const hasNames = Object.keys(schema.properties ?? {}).length > 0;
    if (!hasNames) return this.map(schema.additionalProperties, name);
    const { key } = this.notation;
    const head = (each: string): Rule => sequence(`${key(each)}:`, this.blank());
    return sequence('{', this.properties(schema, name, head, valueOf), '}');
  }

  private property(_: string, schema: JsonSchema, name: string): Rule {
    return this.value(schema, name);
  }

  private properties(
    schema: JsonSchema,
    name: string,
    head: (key: string) => Rule,
    valueOf: (key: string, schema: JsonSchema, name: string) => Rule,
  ): Rule {
    const properties = Object.entries(schema.properties ?? {}).filter(([key]) => !isForbiddenKey(key));
    const pairs = properties.map(([key, property]) => ({
      isRequired: schema.required?.includes(key) ?? false,
      rule: sequence(head(key), valueOf(key, property, `${name}-${key}`)),
    }));
    // Rules for the remaining properties: nothing written yet, or a comma needed first.
    let [first, more] = [text(''), text('')];
    for (const [at, { isRequired, rule }] of [...pairs.entries()].reverse()) {
      const mayBeFirst = pairs.slice(0, at).every((before) => !before.isRequired);
      const pair = mayBeFirst && at > 0 ? this.build.add('p', rule) : rule;
      const rest = this.small(more, 'r');
      const begun = mayBeFirst ? sequence(pair, rest) : text('');
      const behind = at > 0 ? sequence(',', this.blank(), pair, rest) : text('');
      [first, more] = isRequired
        ? [begun, behind]
        : [mayBeFirst ? choice(begun, this.small(first, 'f')) : begun, choice(behind, rest)];
    }
    return first;
  }

  string(): Rule {
    const { id, text: anyText, path } = this.notation;
    return this.build.once(`${id}${this.isPath ? 'path' : 'string'}`, () =>
      (this.isPath ? path : anyText)(this.build),
    );
  }

  private withTexts(isPath: boolean): SchemaValues {
    return new SchemaValues(this.build, this.whole, this.notation, isPath);
  }

  /** Prefix of rules that contain texts. */
  private get id(): string {
    return `${this.notation.id}${this.isPath ? 'path-' : ''}`;
  }

  private typed(type: string, schema: JsonSchema, name: string): Rule {
    switch (type) {
      case 'string':
        return this.string();
      case 'integer':
        return integerRule(this.build);
      case 'number':
        return numberRule(this.build);
      case 'boolean':
        return this.build.once(`${this.notation.id}boolean`, () =>
          choice(this.notation.literal(true), this.notation.literal(false)),
        );
      case 'null':
        return text(this.notation.literal(null));
      case 'array':
        return this.list(schema.items ? this.named(schema.items, `${name}-i`) : this.any());
      default:
        return this.object(schema, name);
    }
  }

  private named(schema: JsonSchema, name: string): Rule {
    return this.small(this.value(schema, name), name);
  }

  /** Refers to the rule by name if repeating it would take more. */
  private small(rule: Rule, name: string): Rule {
    return rule.type === 'rule' || rule.type === 'text' ? rule : this.build.add(name, rule);
  }

  /** A schema whose parts may lead back to it: used by name, also inside itself. */
  private referred(given: JsonSchema): Rule {
    // References that differ only in their descriptions are the same.
    const { $ref = '', description: _, default: __, ...more } = given;
    const isPlain = Object.keys(more).length === 0;
    const found = isPlain ? pointedAt(this.whole, $ref) : this.build.composition(this.whole, given);
    if (found === undefined) return this.any();
    const resolved = (): JsonSchema => resolvedSchema(given, this.whole);
    return this.build.onceFor(found, `${this.id}ref`, () => this.resolved(resolved(), 'ref'));
  }

  private map(values: JsonSchema['additionalProperties'], name: string): Rule {
    if (values === false) return text('{}');
    const value = typeof values === 'object' ? this.named(values, `${name}-v`) : this.any();
    const pair = this.build.add('pair', sequence(this.string(), ':', this.blank(), value));
    return sequence('{', optional(sequence(pair, repeat(sequence(',', this.blank(), pair)))), '}');
  }

  private list(item: Rule): Rule {
    return sequence('[', optional(sequence(item, repeat(sequence(',', this.blank(), item)))), ']');
  }

  private any(): Rule {
    return this.build.once(`${this.id}json`, () =>
      choice(
        this.string(),
        this.typed('number', {}, ''),
        this.typed('boolean', {}, ''),
        this.notation.literal(null),
        this.list(this.any()),
        this.anyObject(),
      ),
    );
  }

  private anyObject(): Rule {
    if (this.isPath) return this.withTexts(false).value({ type: 'object' }, '');
    const value = this.any();
    const pair = sequence(this.string(), ':', this.blank(), value);
    return sequence('{', optional(sequence(pair, repeat(sequence(',', this.blank(), pair)))), '}');
  }

  private blank(): Rule {
    return this.notation.isWide ? this.build.once('blank', () => optional(' ')) : text('');
  }
}

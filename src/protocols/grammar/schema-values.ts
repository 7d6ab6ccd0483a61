import type { Rule } from '../../core/words/grammar';
import { isForbiddenKey, type Json } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { listedValues, pointedAt, resolvedSchema, typesOf, unionOf } from '../../core/words/schema-types';
import { chars, choice, optional, repeat, sequence, text, type GrammarBuilder } from './rules';

/** How values are written. */
export interface Notation {
  /** Prefix of its rules' names. */
  readonly id: string;
  readonly text: (build: GrammarBuilder) => Rule;
  readonly literal: (value: Json) => string;
  readonly key: (name: string) => string;
  /** Blanks after commas, and after colons if `isWide`. */
  readonly isWide: boolean;
}

/** A text between double quotes. `kept`: characters that it may not contain; `escapes`: what may follow a backslash. */
export function quoted(kept = '', escapes = '"\\/bfnrt'): Rule {
  const plain = chars(`^"\\\u0000-\u001f\u007f${kept}`);
  const hex = chars('0-9a-f');
  const escaped = sequence('\\', choice(chars(escapes), sequence('u00', hex, hex)));
  return sequence('"', repeat(choice(plain, escaped)), '"');
}

/** As `JSON.stringify` writes it, or with one blank after colons and commas. */
export function jsonNotation(kept = ''): Notation {
  const literal = (value: Json): string =>
    Array.from(JSON.stringify(value), (char) => (kept.includes(char) ? unicodeEscape(char) : char)).join('');
  return { id: kept === '' ? '' : 'plain-', text: () => quoted(kept), literal, key: literal, isWide: true };
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Maximum number of different compositions in the schema of a tool; others allow anything. */
const MOST_COMPOSITIONS = 100;

/** The values that schemas allow, in some notation. */
export class SchemaValues {
  constructor(
    private readonly build: GrammarBuilder,
    private readonly whole: JsonSchema,
    private readonly notation: Notation = jsonNotation(),
  ) {}

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

  /** An object with the properties of a schema, in its order. */
  object(schema: JsonSchema, name: string): Rule {
    const hasNames = Object.keys(schema.properties ?? {}).length > 0;
    if (!hasNames) return this.map(schema.additionalProperties, name);
    const { key } = this.notation;
    return sequence(
      '{',
      this.properties(schema, name, (each) => sequence(`${key(each)}:`, this.blank())),
      '}',
    );
  }

  /** The properties of a schema, in its order, each after its head. */
  properties(schema: JsonSchema, name: string, head: (key: string) => Rule): Rule {
    const properties = Object.entries(schema.properties ?? {}).filter(([key]) => !isForbiddenKey(key));
    const pairs = properties.map(([key, property]) => ({
      isRequired: schema.required?.includes(key) ?? false,
      rule: sequence(head(key), this.value(property, `${name}-${key}`)),
    }));
    // Rules for the remaining properties: nothing written yet, or a comma needed first.
    let [first, more] = [text(''), text('')];
    for (const [at, { isRequired, rule }] of [...pairs.entries()].reverse()) {
      const mayBeFirst = pairs.slice(0, at).every((before) => !before.isRequired);
      const pair = mayBeFirst && at > 0 ? this.build.add(`${name}-p`, rule) : rule;
      const rest = this.small(more, `${name}-r`);
      const begun = mayBeFirst ? sequence(pair, rest) : text('');
      const behind = at > 0 ? sequence(',', this.blank(), pair, rest) : text('');
      [first, more] = isRequired
        ? [begun, behind]
        : [mayBeFirst ? choice(begun, this.small(first, `${name}-f`)) : begun, choice(behind, rest)];
    }
    return first;
  }

  string(): Rule {
    return this.build.once(`${this.notation.id}string`, () => this.notation.text(this.build));
  }

  private typed(type: string, schema: JsonSchema, name: string): Rule {
    switch (type) {
      case 'string':
        return this.string();
      case 'integer':
        return this.integer();
      case 'number':
        return this.build.once('number', () =>
          sequence(this.integer(), optional(sequence('.', repeat(chars('0-9'), 1, 9)))),
        );
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
    const found = Object.keys(more).length === 0 ? pointedAt(this.whole, $ref) : this.composed(given);
    if (found === undefined || this.compositions.size > MOST_COMPOSITIONS) return this.any();
    const resolved = (): JsonSchema => resolvedSchema(given, this.whole);
    return this.build.onceFor(found, `${this.notation.id}ref`, () => this.resolved(resolved(), 'ref'));
  }

  /** The first schema that is written like this one: those of recursive parts are made anew. */
  private composed(schema: JsonSchema): JsonSchema {
    const written = JSON.stringify(schema);
    const found = this.compositions.get(written) ?? schema;
    this.compositions.set(written, found);
    return found;
  }

  private readonly compositions = new Map<string, JsonSchema>();

  private map(values: JsonSchema['additionalProperties'], name: string): Rule {
    if (values === false) return text('{}');
    const value = typeof values === 'object' ? this.named(values, `${name}-v`) : this.any();
    const pair = this.build.add(`${name}-p`, sequence(this.string(), ':', this.blank(), value));
    return sequence('{', optional(sequence(pair, repeat(sequence(',', this.blank(), pair)))), '}');
  }

  private list(item: Rule): Rule {
    return sequence('[', optional(sequence(item, repeat(sequence(',', this.blank(), item)))), ']');
  }

  private integer(): Rule {
    return this.build.once('integer', () =>
      choice('0', sequence(optional('-'), chars('1-9'), repeat(chars('0-9'), 0, 14))),
    );
  }

  private any(): Rule {
    return this.build.once(`${this.notation.id}json`, () =>
      choice(
        this.string(),
        this.typed('number', {}, ''),
        this.typed('boolean', {}, ''),
        this.notation.literal(null),
        this.list({ type: 'rule', name: `${this.notation.id}json` }),
        this.anyObject(),
      ),
    );
  }

  private anyObject(): Rule {
    const value: Rule = { type: 'rule', name: `${this.notation.id}json` };
    const pair = sequence(this.string(), ':', this.blank(), value);
    return sequence('{', optional(sequence(pair, repeat(sequence(',', this.blank(), pair)))), '}');
  }

  private blank(): Rule {
    return this.notation.isWide ? this.build.once('blank', () => optional(' ')) : text('');
  }
}

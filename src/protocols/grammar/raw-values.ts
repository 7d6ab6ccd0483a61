import { argumentText } from '../prompt/describe';
import type { Rule } from '../../core/words/grammar';
import { dereferenced, typesOf, type JsonSchema } from '../../core/words/schema';
import { PATH_KEY } from '../engine/calls';
import { without } from './free-text';
import { choice, text, type GrammarBuilder } from './rules';
import { CONTROL, jsonWithout, SchemaValues, type Notation } from './schema-values';

/** How values are written in a call without quotes around texts; all other values are JSON. */
export interface RawForm {
  /** The usual one first, which also writes what has no texts. */
  readonly ways: readonly [RawWay, ...RawWay[]];
  /** Writes a known text with its delimiters. */
  readonly written: (text: string) => string;
  /** Writes an argument. */
  readonly pair: (key: string, value: Rule) => Rule;
}

/** One way to write values. */
export interface RawWay {
  readonly any: Rule;
  /** A name or path: without control characters. */
  readonly path: () => Rule;
  /** A text that is not taken for a list. */
  readonly unlisted: () => Rule;
  /** Absent if it only writes texts. */
  readonly json?: Notation;
  /** Writes a value with its delimiters. */
  readonly around: (value: Rule) => Rule;
}

interface RawTokens {
  /** Prefix of its rules' names. */
  readonly id: string;
  /** What no value contains, because it would end or begin something. */
  readonly tokens: readonly string[];
  /** What no text begins with, blanks aside. */
  readonly begins?: readonly string[];
  /** The beginnings of tokens that blanks may follow: letters only come there. */
  readonly wordsBehind?: readonly string[];
  readonly around?: (value: Rule) => Rule;
  readonly isForTexts?: boolean;
}

/** Values that contain none of the tokens. */
export function rawWay(
  build: GrammarBuilder,
  { id, tokens, begins = [], wordsBehind = [], around = (value) => value, isForTexts = false }: RawTokens,
): RawWay {
  const any = without(build, id, tokens, { begins: [begins, [...begins, '[']], wordsBehind });
  let path: Rule | undefined;
  const inPaths = [...tokens, ...begins].map((token) => token.slice(0, PATH_PREFIX));
  return {
    any: begins.length > 0 ? any.start() : any(),
    path: () => (path ??= without(build, `${id}p`, inPaths, { never: CONTROL })()),
    unlisted: () => any.start(1),
    ...(!isForTexts && { json: jsonWithout(`${id}-`, tokens, wordsBehind) }),
    around,
  };
}

/** Rules for whole tokens would be too many. */
const PATH_PREFIX = 4;

interface ValuePlace {
  readonly key: string;
  /** For rules. */
  readonly name: string;
}

/** The raw values that a schema allows. */
export class RawValues {
  constructor(
    private readonly build: GrammarBuilder,
    private readonly whole: JsonSchema,
    private readonly form: RawForm,
  ) {}

  value(given: JsonSchema, place: ValuePlace): Rule {
    const { written } = this.form;
    const schema = dereferenced(given, this.whole);
    const named = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    if (named) return choice(...new Set(named.map((each) => written(argumentText(each)))));
    const types = typesOf(schema);
    // `null` values are left out.
    const some = types.filter((type) => type !== 'null');
    if (types.length > 0 && some.length === 0) return text(written('null'));
    const members = schema.type === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
    if (members && !membersOf(schema).some(takesAnyText)) {
      const values = members.filter((each) => typesOf(each).some((type) => type !== 'null'));
      return choice(
        ...values.map((each, at) => this.value(each, { ...place, name: `${place.name}-${at + 1}` })),
      );
    }
    if (some.length > 0 && !some.includes('string')) return this.json(some, schema, place);
    if (PATH_KEY.test(place.key)) return this.text('path', ({ path }) => path());
    if (!some.includes('array')) return this.text('text', ({ any }) => any);
    // A text that begins like a list is a list.
    const list = this.json(['array'], schema, place);
    return choice(
      list,
      this.text('unlisted', ({ unlisted }) => unlisted()),
    );
  }

  private text(name: string, textOf: (way: RawWay) => Rule): Rule {
    // Further ways hold texts about the ways themselves, which no name or path is.
    const ways = name === 'path' ? this.form.ways.slice(0, 2) : this.form.ways;
    const ruleOf = (): Rule => choice(...ways.map((way) => way.around(textOf(way))));
    return ways.length === 1 ? ruleOf() : this.build.once(`raw-${name}`, ruleOf);
  }

  /** Values without a text of their own. */
  private json(types: readonly string[], schema: JsonSchema, { key, name }: ValuePlace): Rule {
    const mayHoldTexts = types.some((type) => type === 'array' || type === 'object');
    const values = this.form.ways.flatMap(({ json, around }, at) => {
      if (!json || (at > 0 && !mayHoldTexts)) return [];
      const notation = new SchemaValues(this.build, this.whole, json);
      const each = types.flatMap((type) =>
        membersOf(schema)
          .filter((member) => typesOf(member).includes(type))
          .map((member) => notation.argument(key, { ...member, type }, name)),
      );
      return [around(choice(...each))];
    });
    return choice(...values);
  }
}

/** The members of a union, or the schema itself. */
function membersOf(schema: JsonSchema): readonly JsonSchema[] {
  const members = schema.type === undefined ? [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] : [];
  return members.length > 0 ? members.flatMap(membersOf) : [schema];
}

/** Whether any text is valid, not only those that the schema lists. */
function takesAnyText(schema: JsonSchema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined) return false;
  const types = typesOf(schema);
  return types.length === 0 || types.includes('string');
}

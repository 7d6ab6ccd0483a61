import { argumentText } from '../prompt/describe';
import type { Rule } from '../../core/words/grammar';
import type { JsonSchema } from '../../core/words/schema';
import { alternativesOf, listedValues, resolvedSchema, typesOf } from '../../core/words/schema-types';
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
    const listed = listedValues(resolvedSchema(given, this.whole));
    if (listed) return choice(...new Set(listed.map((each) => written(argumentText(each)))));
    const alternatives = alternativesOf(given, this.whole);
    const types = typesOf(given, this.whole);
    if (types.length > 0 && types.every((type) => type === 'null')) return text(written('null'));
    if (alternatives.length > 1 && !alternatives.some((each) => this.takesAnyText(each))) {
      return choice(
        ...alternatives.map((each, at) => this.value(each, { ...place, name: `${place.name}-${at + 1}` })),
      );
    }
    if (types.length > 0 && !types.includes('string')) return this.json(types, alternatives, place);
    if (PATH_KEY.test(place.key)) return this.text('path', ({ path }) => path());
    if (!types.includes('array')) return this.text('text', ({ any }) => any);
    // A text that begins like a list is a list.
    const list = this.json(['array'], alternatives, place);
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
  private json(
    types: readonly string[],
    alternatives: readonly JsonSchema[],
    { key, name }: ValuePlace,
  ): Rule {
    const mayHoldTexts = types.some((type) => type === 'array' || type === 'object');
    const values = this.form.ways.flatMap(({ json, around }, at) => {
      if (!json || (at > 0 && !mayHoldTexts)) return [];
      const notation = new SchemaValues(this.build, this.whole, json);
      const each = types.flatMap((type) =>
        alternatives
          .filter((one) => typesOf(one, this.whole).includes(type))
          .map((one) => notation.argument(key, { ...one, type }, name)),
      );
      return [around(choice(...each))];
    });
    return choice(...values);
  }

  /** Whether any text is valid, not only those that the schema lists. */
  private takesAnyText(schema: JsonSchema): boolean {
    const types = typesOf(schema, this.whole);
    return listedValues(schema) === undefined && (types.length === 0 || types.includes('string'));
  }
}

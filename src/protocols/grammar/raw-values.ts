import { argumentText } from '../prompt/describe';
import type { Rule } from '../../core/words/grammar';
import { dereferenced, typesOf, type JsonSchema } from '../../core/words/schema';
import { PATH_KEY } from '../engine/calls';
import { chars, choice, repeat, sequence, text, type GrammarBuilder } from './rules';
import { jsonNotation, SchemaValues } from './schema-values';

/** How values are written in a call without quotes around texts; all other values are JSON. */
export interface RawForm {
  /** What no text contains, because it would end or begin something. */
  readonly tokens: readonly string[];
  /** Characters that no JSON text contains. */
  readonly kept: string;
  /** Writes a known text with its delimiters. */
  readonly written: (text: string) => string;
  /** Wraps any other value; by default unchanged. */
  readonly around?: (value: Rule, isText: boolean) => Rule;
  /** Writes an argument. */
  readonly pair: (key: string, value: Rule) => Rule;
}

interface ValuePlace {
  readonly key: string;
  /** For rules. */
  readonly name: string;
}

interface Written {
  readonly form: RawForm;
  /** Any text without the form's tokens. */
  readonly anyText: Rule;
}

/** The raw values that a schema allows. */
export class RawValues {
  private readonly json: SchemaValues;

  constructor(
    private readonly build: GrammarBuilder,
    private readonly whole: JsonSchema,
    private readonly written: Written,
  ) {
    this.json = new SchemaValues(build, whole, jsonNotation(written.form.kept));
  }

  value(given: JsonSchema, place: ValuePlace): Rule {
    const { form, anyText } = this.written;
    const { written, around = (rule) => rule } = form;
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
    if (some.length > 0 && !some.includes('string')) return around(this.values(some, schema, place), false);
    // A name or path has no control characters, and nothing that may be a marker.
    if (PATH_KEY.test(place.key))
      return around(
        this.build.once('path', () => repeat(chars('^\u0000-\u001f\u007f<「`'), 1)),
        false,
      );
    if (!some.includes('array')) return around(anyText, true);
    // A text that begins like a list is a list.
    const list = this.values(['array'], schema, place);
    return around(choice(list, sequence(chars('^[<「` \t\n\r'), anyText), text('')), false);
  }

  private values(types: readonly string[], schema: JsonSchema, { name }: ValuePlace): Rule {
    const values = types.flatMap((type) =>
      membersOf(schema)
        .filter((each) => typesOf(each).includes(type))
        .map((each) => this.json.value({ ...each, type }, name)),
    );
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

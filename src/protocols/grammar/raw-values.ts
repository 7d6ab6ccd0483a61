import { argumentText } from '../prompt/describe';
import type { Rule } from '../../core/words/grammar';
import { dereferenced, typesOf, type JsonSchema } from '../../core/words/schema';
import { PATH_KEY } from '../engine/calls';
import { chars, choice, repeat, sequence, text, type GrammarBuilder } from './rules';
import { jsonNotation, SchemaValues } from './schema-values';

/** How values stand in a call that has no quotes around texts; every value that is no text is JSON. */
export interface RawForm {
  /** What no text holds, as it would end or begin something. */
  readonly tokens: readonly string[];
  /** Characters that no text in JSON holds. */
  readonly kept: string;
  /** A text that is known, with all that stands around it. */
  readonly written: (text: string) => string;
  /** Any other value with what stands around it; itself if not given. */
  readonly around?: (value: Rule, isText: boolean) => Rule;
  /** An argument. */
  readonly pair: (key: string, value: Rule) => Rule;
}

interface Place {
  readonly key: string;
  /** For rules. */
  readonly name: string;
}

interface Written {
  readonly form: RawForm;
  /** Any text without the tokens of the form. */
  readonly anyText: Rule;
}

/** The values that a schema allows, raw. */
export class RawValues {
  private readonly json: SchemaValues;

  constructor(
    private readonly build: GrammarBuilder,
    private readonly whole: JsonSchema,
    private readonly written: Written,
  ) {
    this.json = new SchemaValues(build, whole, jsonNotation(written.form.kept));
  }

  value(given: JsonSchema, place: Place): Rule {
    const { form, anyText } = this.written;
    const { written, around = (rule) => rule } = form;
    const schema = dereferenced(given, this.whole);
    const named = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    if (named) return choice(...new Set(named.map((each) => written(argumentText(each)))));
    const types = typesOf(schema);
    // What is `null` is left out.
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
    // A name or path holds no control characters, and nothing that may be a mark.
    if (PATH_KEY.test(place.key))
      return around(
        this.build.once('path', () => repeat(chars('^\u0000-\u001f\u007f<「`'), 1)),
        false,
      );
    if (!some.includes('array')) return around(anyText, true);
    // What begins as a list is one.
    const list = this.values(['array'], schema, place);
    return around(choice(list, sequence(chars('^[<「` \t\n\r'), anyText), text('')), false);
  }

  private values(types: readonly string[], schema: JsonSchema, { name }: Place): Rule {
    const values = types.flatMap((type) =>
      membersOf(schema)
        .filter((each) => typesOf(each).includes(type))
        .map((each) => this.json.value({ ...each, type }, name)),
    );
    return choice(...values);
  }
}

/** What a union is one of, or the schema itself. */
function membersOf(schema: JsonSchema): readonly JsonSchema[] {
  const members = schema.type === undefined ? [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] : [];
  return members.length > 0 ? members.flatMap(membersOf) : [schema];
}

/** Whether any text fits, not only those that the schema names. */
function takesAnyText(schema: JsonSchema): boolean {
  if (schema.enum !== undefined || schema.const !== undefined) return false;
  const types = typesOf(schema);
  return types.length === 0 || types.includes('string');
}

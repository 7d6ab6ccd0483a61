import { argumentText } from '../prompt/describe';
import type { Rule } from '../../core/words/grammar';
import type { JsonSchema } from '../../core/words/schema';
import { alternativesOf, listedValues, resolvedSchema, typesOf } from '../../core/words/schema-types';
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
    if (types.length > 0 && !types.includes('string'))
      return around(this.values(types, alternatives, place), false);
    // A name or path has no control characters, and nothing that may be a marker.
    if (PATH_KEY.test(place.key))
      return around(
        this.build.once('path', () => repeat(chars('^\u0000-\u001f\u007f<「`'), 1)),
        false,
      );
    if (!types.includes('array')) return around(anyText, true);
    // A text that begins like a list is a list.
    const list = this.values(['array'], alternatives, place);
    return around(choice(list, sequence(chars('^[<「` \t\n\r'), anyText), text('')), false);
  }

  private values(types: readonly string[], alternatives: readonly JsonSchema[], { name }: ValuePlace): Rule {
    const values = types.flatMap((type) =>
      alternatives
        .filter((each) => typesOf(each, this.whole).includes(type))
        .map((each) => this.json.value({ ...each, type }, name)),
    );
    return choice(...values);
  }

  /** Whether any text is valid, not only those that the schema lists. */
  private takesAnyText(schema: JsonSchema): boolean {
    const types = typesOf(schema, this.whole);
    return listedValues(schema) === undefined && (types.length === 0 || types.includes('string'));
  }
}

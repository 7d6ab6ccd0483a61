import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { t } from '../shared/l10n';

export interface ArgumentProblem {
  /** The keys that lead to it, from outside in. */
  readonly path: readonly string[];
  readonly message: string;
}

/** The most that are told of at once. */
const MOST = 20;

/** Parts of a schema, each as often as it is referred to. One with more would hold up the page. */
const MOST_PARTS = 20_000;

/** Where the arguments are not as the schema wants them. The tool itself has the last word: it forgives near misses. */
export function checkArguments(values: JsonObject, schema: JsonSchema): readonly ArgumentProblem[] {
  // SAFETY: whatever is no valid schema throws below.
  const validator = (): Validator => new Validator(withoutPatterns(schema) as Schema, '7', false);
  try {
    if (!isBounded(schema)) return [];
    const { errors } = validator().validate(values);
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .slice(0, MOST)
      .map(problemOf);
  } catch {
    // Others write schemas too. One that cannot be read, or refers to what is not there, finds no fault.
    return [];
  }
}

function problemOf({ keyword, instanceLocation, error }: OutputUnit): ArgumentProblem {
  const path = pathOf(instanceLocation);
  const quoted = /(?:Expected|property|Property) "(.*)"/s.exec(error)?.[1] ?? '';
  switch (keyword) {
    case 'required':
      return { path, message: t('"{0}" is missing.', quoted) };
    case 'additionalProperties':
      return { path, message: t('Unknown argument "{0}".', quoted) };
    case 'type':
      return { path, message: t('The type must be {0}.', quoted.replaceAll('"', '')) };
    default:
      // Rare, and in the checker's own words.
      return { path, message: error };
  }
}

/** What says of an outer value that an inner one is wrong, and of one that may not be there that it is not fit. */
const AROUND = new Set(['properties', 'items', 'additionalItems', 'false']);

/** A pattern of somebody else could keep the page busy for good. */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isJsonObject(schema)) return schema;
  const hasPatterns = isJsonObject(schema['patternProperties']);
  const isLeftOut = (key: string, value: unknown): boolean =>
    (key === 'pattern' && typeof value === 'string') ||
    // What these allow is additional to nothing any more.
    (hasPatterns && (key === 'patternProperties' || key === 'additionalProperties'));
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      isLeftOut(key, value) ? [] : [[key, withoutPatterns(value)]],
    ),
  );
}

/** References that lead to others, each of them several times, make few lines as large as one likes. */
function isBounded(root: JsonSchema): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    // One that leads back to itself goes no deeper than the arguments do.
    sizes.set(part, 1);
    const inner = Object.values(part).reduce((sum: number, each) => sum + sizeOf(each), 1);
    const size = inner + ('$ref' in part ? sizeOf(partAt(root, part.$ref)) : 0);
    sizes.set(part, size);
    return size;
  };
  return sizeOf(root) <= MOST_PARTS;
}

function partAt(root: JsonSchema, reference: unknown): unknown {
  if (typeof reference !== 'string') return undefined;
  return pathOf(reference).reduce((part: unknown, key) => (isJsonObject(part) ? part[key] : undefined), root);
}

/** From a JSON pointer in a fragment: `#/edits/0/old`. */
function pathOf(location: string): readonly string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

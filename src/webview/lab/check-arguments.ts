import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../../base/json';
import type { JsonSchema } from '../../core/words/schema';
import { t } from '../shared/l10n';

export interface ArgumentProblem {
  /** Keys that lead to it, from outside in. */
  readonly path: readonly string[];
  readonly message: string;
}

/** Maximum number of problems shown. */
const MOST = 20;

/** Maximum number of schema parts, counted per reference. A larger schema would block the page. */
const MOST_PARTS = 20_000;

/** Where the arguments do not match the schema. The tool decides finally: it accepts near misses. */
export function checkArguments(values: JsonObject, schema: JsonSchema): readonly ArgumentProblem[] {
  // SAFETY: an invalid schema throws below.
  const validator = (): Validator => new Validator(withoutPatterns(schema) as Schema, '7', false);
  try {
    if (!isBounded(schema)) return [];
    const { errors } = validator().validate(values);
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .slice(0, MOST)
      .map(problemOf);
  } catch {
    // Other authors write schemas too. One that is unreadable or has dangling references reports no problems.
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
      // Rare, and in the words of the checker.
      return { path, message: error };
  }
}

/** Errors about an outer value that only repeat an inner error, or about an unexpected value. */
const AROUND = new Set(['properties', 'items', 'additionalItems', 'false']);

/** A pattern of a foreign schema could block the page forever. */
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isJsonObject(schema)) return schema;
  const hasPatterns = isJsonObject(schema['patternProperties']);
  const isLeftOut = (key: string, value: unknown): boolean =>
    (key === 'pattern' && typeof value === 'string') ||
    // These make additional properties irrelevant.
    (hasPatterns && (key === 'patternProperties' || key === 'additionalProperties'));
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      isLeftOut(key, value) ? [] : [[key, withoutPatterns(value)]],
    ),
  );
}

/** Nested references can make a few lines expand without limit. */
function isBounded(root: JsonSchema): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (part: unknown): number => {
    if (typeof part !== 'object' || part === null) return 0;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    // A recursive reference goes no deeper than the arguments do.
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

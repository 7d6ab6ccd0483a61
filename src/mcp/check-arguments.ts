import { Validator, type Schema } from '@cfworker/json-schema';
import type { JsonObject } from '../base/json';
import type { JsonSchema } from '../core/words/schema';
import { mapSubschemas } from './schema';

/** What is wrong with arguments by a server's schema, in one clause each; nothing where all is well. */
export function argumentProblems(given: JsonObject, schema: JsonSchema): readonly string[] {
  // SAFETY: what is no schema that the checker can read throws below.
  const checked = checkable(schema as JsonObject) as Schema;
  try {
    const { errors } = new Validator(checked, '2020-12', false).validate(given);
    return errors
      .filter(({ keyword }) => !AROUND.has(keyword))
      .slice(0, MOST)
      .map(
        ({ instanceLocation, error }) => `${instanceLocation.replace(/^#\/?/, '') || 'arguments'}: ${error}`,
      );
  } catch {
    // A schema that cannot be read finds no fault; the server looks at the arguments itself.
    return [];
  }
}

const MOST = 5;

/** What says of an outer value that an inner one is wrong. */
const AROUND = new Set(['properties', 'items', 'additionalItems', 'prefixItems', 'allOf', 'false']);

/**
 * Left to the server: patterns, because one that a stranger wrote is enough to keep the editor busy for good; what a
 * list without twins costs is the square of its length; and what turns around whether something fits, or counts it,
 * because more fits here than should.
 */
const LEFT = new Set([
  ...['pattern', 'format', 'patternProperties'],
  ...['not', 'if', 'then', 'else', 'oneOf'],
  ...['contains', 'minContains', 'maxContains', 'uniqueItems'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]);

function checkable(schema: JsonObject): JsonObject {
  const { patternProperties, anyOf = schema['oneOf'] } = schema;
  const kept = Object.entries(schema).filter(
    // Where names are allowed by a pattern, none can be called unknown.
    ([keyword]) =>
      !LEFT.has(keyword) && (keyword !== 'additionalProperties' || patternProperties === undefined),
  );
  return mapSubschemas({ ...Object.fromEntries(kept), ...(anyOf !== undefined && { anyOf }) }, checkable);
}

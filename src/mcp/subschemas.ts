import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';

/** Keywords whose values are schemas by name: there no name is a keyword. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Keywords whose values are data. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired']);

/** The schema with each schema that stands directly in it changed. */
export function mapSubschemas(schema: JsonObject, change: (inner: JsonObject) => Json): JsonObject {
  const changed = (value: Json): Json => {
    if (isJsonList(value)) return value.map(changed);
    return isJsonObject(value) ? change(value) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (!BY_NAME.has(keyword) || !isJsonObject(value)) return [keyword, changed(value)];
      const named = Object.entries(value).map(([name, each]) => [name, changed(each)] as const);
      return [keyword, Object.fromEntries(named)];
    }),
  );
}

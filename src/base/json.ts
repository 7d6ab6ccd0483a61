export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** `Array.isArray` alone would give `any[]`. */
export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether lists and objects are nested deeper than so many levels. Stops there, so it cannot run out of stack. */
export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child: Json) => isDeeperThan(levels - 1, child));
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a JSON text; `undefined` if it is another value or not JSON. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The object or list in a JSON text; `undefined` if it is another value or not JSON. */
export function parseContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Names that would reach an object's prototype. */
const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];

export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.includes(key);
}

/** Path of the first key, at any depth, that would reach an object's prototype: `edits[0].__proto__`. */
export function forbiddenKey(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = isJsonList(value) ? undefined : FORBIDDEN_KEYS.find((key) => Object.hasOwn(value, key));
  if (own !== undefined) return own;
  for (const [key, child] of Object.entries(value)) {
    const found = forbiddenKey(child);
    if (found === undefined) continue;
    const place = isJsonList(value) ? `[${key}]` : key;
    return found.startsWith('[') ? place + found : `${place}.${found}`;
  }
  return undefined;
}

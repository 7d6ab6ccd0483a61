import { createHash } from 'node:crypto';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { isJsonList, isJsonObject, type Json } from '../base/json';

/** A server's description of itself and its tools, in full, so that a difference can be shown. */
export interface Pins {
  /** The server's instructions. */
  readonly instructions: string;
  /** By original tool name: the tool's whole description as canonical JSON. */
  readonly tools: Readonly<Record<string, string>>;
}

export function pinsOf({
  instructions,
  tools,
}: {
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
}): Pins {
  return { instructions, tools: Object.fromEntries(tools.map((tool) => [tool.name, toolText(tool)])) };
}

/** Names of tools that differ from what the user has seen: new or changed; all if the instructions changed. */
export function changedTools(seen: Pins | undefined, now: Pins): readonly string[] {
  const isSame = (name: string): boolean =>
    seen?.instructions === now.instructions &&
    Object.hasOwn(seen.tools, name) &&
    seen.tools[name] === now.tools[name];
  return Object.keys(now.tools).filter((name) => !isSame(name));
}

function toolText({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const pinned = { name, title, description, inputSchema, outputSchema, annotations };
  // SAFETY: it is parsed from JSON here.
  return JSON.stringify(inOneOrder(JSON.parse(JSON.stringify(pinned)) as Json), undefined, 2);
}

/** The same text for the same value, whatever the order of its members. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(inOneOrder(value));
}

function inOneOrder(value: Json): Json {
  if (isJsonList(value)) return value.map(inOneOrder);
  if (!isJsonObject(value)) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, each]) => [key, inOneOrder(each)]));
}

/** SHA-256 in hexadecimal. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

import { createHash } from 'node:crypto';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { isJsonList, isJsonObject, type Json } from '../base/json';

/** What a server says of itself and its tools, in full, so that a difference can be shown. */
export interface Pins {
  /** How to use the server. */
  readonly instructions: string;
  /** By the server's own name of the tool: everything that is told of it, as JSON text in one spelling. */
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

/** The names of the tools that are not what the user has seen: new, or other in any part; all where the instructions are. */
export function changedTools(seen: Pins | undefined, now: Pins): readonly string[] {
  const isSame = (name: string): boolean =>
    seen?.instructions === now.instructions &&
    Object.hasOwn(seen.tools, name) &&
    seen.tools[name] === now.tools[name];
  return Object.keys(now.tools).filter((name) => !isSame(name));
}

function toolText({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const told = { name, title, description, inputSchema, outputSchema, annotations };
  // SAFETY: it is read from JSON here.
  return JSON.stringify(inOneOrder(JSON.parse(JSON.stringify(told)) as Json), undefined, 2);
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

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolsWithoutFolder } from '../../src/cli/built-in';
import type { JsonSchema } from '../../src/core/words/schema';
import { protocols } from '../../src/protocols';
import { repository } from '../hosts/repository';

/** What settings, scripts and models rely on, of what the lists of protocols and tools hold. */
export interface Surface {
  readonly protocols: readonly string[];
  /**
   * Arguments by toolset and tool, in their order: `name?` need not be given, `name?=value` is `value` then. A name in
   * brackets is a list; its arguments are the fields of the items.
   */
  readonly tools: Readonly<Record<string, string>>;
}

/** Changes on purpose and with a line in the changelog. */
export const SURFACE_FILE = path.join(repository, 'test/fixtures/surface.json');

export function surfaceNow(): Surface {
  return {
    protocols: protocols.map(({ id }) => id),
    tools: Object.fromEntries(
      toolsWithoutFolder().flatMap(({ toolset, spec }) => lines(`${toolset} ${spec.name}`, spec.parameters)),
    ),
  };
}

export function frozenSurface(): Surface {
  if (!existsSync(SURFACE_FILE)) return { protocols: [], tools: {} };
  // SAFETY: the file is one of our own.
  return JSON.parse(readFileSync(SURFACE_FILE, 'utf8')) as Surface;
}

/** With what is new, and everything that was frozen as it was. */
export function grownSurface(now: Surface, frozen: Surface): Surface {
  return {
    protocols: [...now.protocols, ...frozen.protocols.filter((id) => !now.protocols.includes(id))],
    tools: { ...now.tools, ...frozen.tools },
  };
}

function lines(name: string, { properties = {}, required = [] }: JsonSchema): (readonly [string, string])[] {
  const words = Object.entries(properties).map(([key, { default: value }]) => {
    if (required.includes(key)) return key;
    return value === undefined ? `${key}?` : `${key}?=${JSON.stringify(value)}`;
  });
  const inner = Object.entries(properties).flatMap(([key, { items }]) =>
    items?.properties ? lines(`${name} [${key}]`, items) : [],
  );
  return [[name, words.join(', ')], ...inner];
}

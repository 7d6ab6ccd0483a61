import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolsWithoutFolder } from '../../../src/cli/built-in';
import type { JsonSchema } from '../../../src/core/words/schema';
import { protocols } from '../../../src/protocols';
import { repository } from '../../hosts/repository';

/** The names in the lists of protocols and tools that settings, scripts and models rely on. */
export interface Surface {
  readonly protocols: readonly string[];
  /**
   * Arguments by toolset and tool, in order: `name?` is optional, `name?=value` defaults to `value`. A name in
   * brackets is a list; its arguments are the fields of the items.
   */
  readonly tools: Readonly<Record<string, string>>;
}

/** Changes only on purpose and with a line in the changelog. */
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
  // SAFETY: the file is in this repository.
  return JSON.parse(readFileSync(SURFACE_FILE, 'utf8')) as Surface;
}

/** Returns the surface with new names, and all frozen ones unchanged. */
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

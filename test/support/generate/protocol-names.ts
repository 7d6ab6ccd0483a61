import { format, resolveConfig } from 'prettier';
import type { Protocol } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';

export const NAMES_FILE = 'src/protocols/names.ts';
export const MARKERS_FILE = 'src/tools/edit/markers.ts';

/** Returns the content of the names file for this list of protocols. */
export async function protocolNamesText(): Promise<string> {
  const text = `import type { Protocol } from '../core/words/protocol';

/** What is known of a protocol before its parser is loaded. */
export type ProtocolName = Pick<Protocol, 'id' | 'label' | 'description' | 'sign' | 'suits'>;

/** Those of \`index.ts\`, in its order. Written by \`npm run manifest\`. */
export const protocolNames: readonly ProtocolName[] = ${code(protocols.map(known))};
`;
  return formatted(text, NAMES_FILE);
}

/** Returns the content of the markers file: tools know the markers of all protocols, but no protocol. */
export function markersText(): Promise<string> {
  const all = new Set(protocols.flatMap(({ markers = [] }) => markers));
  const text = `/** Those of all protocols. Written by \`npm run manifest\`. */
export const markers: readonly string[] = ${code([...all])};
`;
  return formatted(text, MARKERS_FILE);
}

async function formatted(text: string, filepath: string): Promise<string> {
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

function known({ id, label, description, sign, suits }: Protocol): object {
  return { id, label, description, sign, suits };
}

/** Returns a value as code: JSON or a pattern. */
function code(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).flatMap(([key, each]) =>
    each === undefined ? [] : [`${key}: ${code(each)}`],
  );
  return `{ ${fields.join(', ')} }`;
}

import { format, resolveConfig } from 'prettier';
import type { Protocol } from '../../src/core/words/protocol';
import { protocols } from '../../src/protocols';

export const NAMES_FILE = 'src/protocols/names.ts';

/** The content of that file, as the list of protocols has it. */
export async function protocolNamesText(): Promise<string> {
  const text = `import type { Protocol } from '../core/words/protocol';

/** What is known of a protocol before its parser is loaded. */
export type ProtocolName = Pick<Protocol, 'id' | 'label' | 'description' | 'sign' | 'suits'>;

/** Those of \`index.ts\`, in its order. Written by \`npm run manifest\`. */
export const protocolNames: readonly ProtocolName[] = ${code(protocols.map(known))};
`;
  return format(text, { ...(await resolveConfig(NAMES_FILE)), filepath: NAMES_FILE });
}

function known({ id, label, description, sign, suits }: Protocol): object {
  return { id, label, description, sign, suits };
}

/** A value as code: JSON, and patterns. */
function code(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(code).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).flatMap(([key, each]) =>
    each === undefined ? [] : [`${key}: ${code(each)}`],
  );
  return `{ ${fields.join(', ')} }`;
}

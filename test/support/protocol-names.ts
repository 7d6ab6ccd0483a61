import { format, resolveConfig } from 'prettier';
import { protocols } from '../../src/protocols';

export const NAMES_FILE = 'src/protocols/names.ts';

/** The content of that file, as the list of protocols has it. */
export async function protocolNamesText(): Promise<string> {
  const names = protocols.map(({ id, label, description }) => ({ id, label, description }));
  const text = `/** What pickers and settings know of a protocol before its parser is loaded. */
export interface ProtocolName {
  readonly id: string;
  /** For pickers: \`VCP\`. */
  readonly label: string;
  /** For pickers, in one line. */
  readonly description: string;
}

/** Those of \`index.ts\`, in its order. Written by \`npm run manifest\`. */
export const protocolNames: readonly ProtocolName[] = ${JSON.stringify(names)};
`;
  return format(text, { ...(await resolveConfig(NAMES_FILE)), filepath: NAMES_FILE });
}

import path from 'node:path';
import { NodeSessionFolder } from '../sessions/node-folder';
import { SessionStore } from '../sessions/session-store';
import { sessionText } from '../sessions/session-text';
import { readOptions, UsageError } from './command-line';
import { said } from './language';

/** `parley replay`: a session file as text, with the files that it continues. */
export async function replay(args: string[]): Promise<number> {
  const { positionals } = readOptions(args, {});
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new UsageError('give one session file.');
  const store = new SessionStore(new NodeSessionFolder(path.dirname(file)));
  const session = await store.load(path.basename(file, '.jsonl'));
  if (!session) {
    const problem = said(
      `${file} is not a readable session file. Give one that Parley has exported or saved.`,
    );
    process.stderr.write(`parley replay: ${problem}\n`);
    return 1;
  }
  process.stdout.write(sessionText(session, said));
  if (session.damaged > 0) {
    const problem = said(`${session.damaged} of its records cannot be read.`);
    process.stderr.write(`parley replay: ${problem}\n`);
  }
  return 0;
}

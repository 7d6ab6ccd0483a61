import { writeSync } from 'node:fs';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionWriter } from '../../../src/sessions/session-writer';

/**
 * A process that writes a session until it is killed, and prints the number of written runs:
 * `node session-writer-process.js FOLDER`.
 */
function main(folder: string): void {
  const writer = new SessionWriter(new NodeSessionFolder(folder), undefined, {
    workspace: '',
    redact: (text) => text,
    onFile: () => undefined,
    onError: (error) => {
      throw error;
    },
    limits: { record: 10_000, file: 300_000 },
  });
  for (let run = 0; ; run++) {
    writer.add({ type: 'run-start', text: `run ${run}`, time: run });
    writer.add({ type: 'text', text: 'x'.repeat(run % 20 === 0 ? 20_000 : 200) });
    writer.add({ type: 'run-end', outcome: { type: 'done' } });
    writeSync(1, `${run}\n`);
  }
}

const [, self, folder] = process.argv;
if (self === __filename && folder !== undefined) main(folder);

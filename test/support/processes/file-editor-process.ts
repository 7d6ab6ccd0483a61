import { createFiles } from '../../../src/node/files/files';

/** A process that edits and creates files until it is killed: `node file-editor-process.js FOLDER`. */
async function main(folder: string): Promise<void> {
  const files = createFiles({ roots: [folder] });
  const place = await files.resolve('a.txt', 'write');
  let { text } = await files.readText(place);
  for (let round = 0; ; round++) {
    text = await files.writeText(place, contents[round % 2] ?? '', text);
    await files.writeText(await files.resolve(`new/${round}.txt`, 'write'), text, undefined);
    if (round === 0) process.stdout.write('editing\n');
  }
}

/** Long enough for a kill in the middle of a write. */
export const contents: readonly string[] = [
  'first line\n'.repeat(10_000),
  'the second text\n'.repeat(15_000),
];

const [, self, folder] = process.argv;
if (self === __filename && folder !== undefined) void main(folder);

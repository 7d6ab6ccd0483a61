// `npm run size:source`: how much code there is, by room, and the largest files. Takes another folder than `src` as an
// argument, such as that of an older commit: `git archive COMMIT src | tar -x -C FOLDER`.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const [root = 'src'] = process.argv.slice(2);

/** How many of the largest files are listed. */
const LARGEST = 12;

/**
 * Counts the lines that are neither blank nor only a comment. A block comment counts as one if it begins its line, as
 * Prettier writes them.
 */
function codeLines(text) {
  let count = 0;
  let inComment = false;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const begins = !inComment && line.startsWith('/*');
    if (!inComment && !begins && line !== '' && !line.startsWith('//')) count++;
    inComment = (inComment || begins) && !line.endsWith('*/');
  }
  return count;
}

const names = (await readdir(root, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
const files = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(path.join(root, name), 'utf8');
    return {
      name,
      room: path.dirname(name).split(path.sep).slice(0, 2).join('/'),
      all: text.split('\n').length - 1,
      code: codeLines(text),
    };
  }),
);

const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(8)).join(''));
const sum = (list) => list.reduce((total, { code }) => total + code, 0);

console.log(`The largest files, with all their lines:`);
for (const { name, all, code } of files.toSorted((a, b) => b.all - a.all).slice(0, LARGEST))
  row(all, code, `  ${name}`);
console.log('\n   files    code  room');
for (const room of [...new Set(files.map((file) => file.room))].sort()) {
  const inRoom = files.filter((file) => file.room === room);
  row(inRoom.length, sum(inRoom), `  ${room === '.' ? root : room}`);
}
row(files.length, sum(files), '  in all');

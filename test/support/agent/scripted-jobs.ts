import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import type { RenderedPart } from '../../../src/core/words/protocol';

const WORDS = ['total', 'count', 'value', 'table', 'title', 'group', 'order'];
const REPORT_LINES = 200;
const PARTS = 30;
const PART_LINES = 40;
const NUMBERS_APART = 64;
const CHANGED_LINE = 123;

/** The request of a user, and the replies of a scripted model, round by round. */
export interface ScriptedJob {
  readonly task: string;
  readonly rounds: readonly (readonly RenderedPart[])[];
  /** The last reply, as text. */
  readonly answer: string;
}

/** Reads a file of 200 lines, replaces one of them, runs a command, answers. */
export const editJob: ScriptedJob = job(
  `Replace line ${CHANGED_LINE} of src/report.js with a comment, and count its lines.`,
  [
    called('read_file', { path: 'src/report.js' }),
    called('edit_file', {
      path: 'src/report.js',
      edits: [{ old: lineOf(0, CHANGED_LINE), new: '  // replaced' }],
    }),
    called('run_shell_command', { command: 'wc -l src/report.js' }),
  ],
  `The file has ${REPORT_LINES} lines.`,
);

/** Reads 30 files of 40 lines, one a round, and answers. */
export const readJob: ScriptedJob = job(
  'Read all parts in src, one after the other, and say how many there are.',
  Array.from({ length: PARTS }, (_, at) => called('read_file', { path: partName(at + 1) }, at)),
  `There are ${PARTS} parts.`,
);

/** Command line options that allow the jobs. */
export const jobOptions: readonly string[] = ['--allow-edits', '--allow', 'wc -l src/report.js'];

function job(task: string, calls: ScriptedJob['rounds'], answer: string): ScriptedJob {
  return { task, rounds: [...calls, [{ type: 'text', text: answer }]], answer };
}

function called(name: string, args: JsonObject, at = 0): readonly RenderedPart[] {
  return [{ type: 'call', call: { id: `call_${name}_${at}`, name, arguments: args } }];
}

/** The files for the jobs. */
export function writeJobFolder(folder: string): void {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  writeFileSync(path.join(folder, 'README.md'), '# Compute\n\nA report and its parts.\n');
  writeFileSync(path.join(folder, 'package.json'), '{\n  "name": "compute",\n  "version": "1.0.0"\n}\n');
  writeFileSync(path.join(folder, 'src/report.js'), textFor(0, REPORT_LINES));
  for (let part = 1; part <= PARTS; part++)
    writeFileSync(path.join(folder, partName(part)), textFor(part, PART_LINES));
}

function partName(part: number): string {
  return `src/part-${String(part).padStart(2, '0')}.js`;
}

function textFor(file: number, lines: number): string {
  return Array.from({ length: lines }, (_, at) => `${lineOf(file, at + 1)}\n`).join('');
}

/** All lines of a file differ, except the empty ones. */
function lineOf(file: number, line: number): string {
  if (line % 8 === 0) return '';
  const word = WORDS[(file + line) % WORDS.length] ?? '';
  const number = file * NUMBERS_APART + line;
  const lead = line % 8 === 1 ? 'export ' : '  ';
  return `${lead}const ${word}_${line} = compute(${file}, ${line}, "${word}-${number}");`;
}

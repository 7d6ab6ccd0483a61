import assert from 'node:assert/strict';
import type { FileTexts } from '../../../src/doctor/job-files';
import type { ExamJob } from '../../../src/doctor/jobs';
import type { JobFolder } from './job-folder';

export { file } from '../../../src/doctor/job-files';

/** What the jobs ask for; there are at least two of each. */
export const KINDS = [
  'answer-from-file',
  'find',
  'change-value',
  'create',
  'append',
  'fix-test',
  'add-function',
  'rename',
  'json-yaml',
  'run-and-report',
  'count-and-list',
  'delete-and-move',
  'two-edits',
  'refactor',
  'no-tool',
] as const;

export type Kind = (typeof KINDS)[number];

/** Contents by path. */
export type Files = FileTexts;

/** How a job might end: the files that changed, `null` for deleted ones, and the last reply of the agent. */
export interface Ending {
  readonly files?: Readonly<Record<string, string | null>>;
  readonly answer: string;
}

/** A small coding job. */
export interface Job {
  readonly name: string;
  readonly kind: Kind;
  readonly files: Files;
  /** One or two sentences, as a user writes them. */
  readonly task: string;
  /** Rules for the commands that the task needs. */
  readonly commands?: readonly string[];
  /** Throws if the job is not done. Accepts every right result. */
  readonly check: (folder: JobFolder, answer: string) => void;
  /** Results that the check accepts. */
  readonly right: readonly [Ending, ...Ending[]];
  /** Plausible results that it does not; for jobs without changes, also answers of a model that has not looked. */
  readonly wrong: readonly [Ending, ...Ending[]];
}

/** A job of the doctor's work exam, with endings that show what its check accepts. */
export function fromDoctor(
  { name, files, task, commands, fault }: ExamJob,
  { kind, right, wrong }: Pick<Job, 'kind' | 'right' | 'wrong'>,
): Job {
  const check: Job['check'] = (folder, answer) => assert.equal(fault(folder.texts(), answer), undefined);
  return { name, kind, files, task, ...(commands && { commands }), check, right, wrong };
}

/** The job asks for an answer and for no change. */
export function isAnswerOnly({ right }: Job): boolean {
  return right.every(({ files }) => files === undefined);
}

/** The files with one text replaced in one of them, for the endings of a job. */
export function edited(files: Files, name: string, ...pairs: readonly (readonly [string, string])[]): Files {
  let text = files[name] ?? '';
  for (const [old, replacement] of pairs) {
    if (!text.includes(old)) throw new Error(`${name} does not contain ${JSON.stringify(old)}`);
    text = text.replaceAll(old, () => replacement);
  }
  return { [name]: text };
}

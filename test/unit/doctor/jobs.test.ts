import assert from 'node:assert/strict';
import { otherChange, wordFault, type FileTexts } from '../../../src/doctor/job-files';
import { examJobs, firstSteps, type ExamJob } from '../../../src/doctor/jobs';

const edited = ({ files }: ExamJob, name: string, old: string, text: string): FileTexts => {
  assert.ok(files[name]!.includes(old), `${name} has no ${old}`);
  return { ...files, [name]: files[name]!.replace(old, text) };
};

/** The result of a job, and whether it is right. */
type Row = readonly [job: string, files: (job: ExamJob) => FileTexts, answer: string, isRight: boolean];

const ROWS: readonly Row[] = [
  ['read', ({ files }) => files, 'The port is 7318.', true],
  ['read', ({ files }) => files, 'It is 3000.', false],
  ['read', ({ files }) => files, '7318 or 25', false],
  ['read', (job) => edited(job, 'shop.ini', '7318', '80'), '7318', false],
  ['change', (job) => edited(job, 'shop.ini', '= 25', '= 40'), '', true],
  ['change', (job) => edited(job, 'shop.ini', 'limit = 25', 'limit=40'), '', true],
  ['change', (job) => edited(job, 'shop.ini', '= 4\n', '= 40\n'), 'Done.', false],
  ['change', ({ files }) => ({ ...files, 'shop.ini': 'limit = 40\n' }), 'Done.', false],
  ['create', ({ files }) => ({ ...files, 'notes.txt': 'Order more tulips.\n' }), '', true],
  ['create', ({ files }) => ({ ...files, 'notes.txt': 'Order more tulips' }), '', true],
  ['create', ({ files }) => ({ ...files, 'note.txt': 'Order more tulips.\n' }), 'Done.', false],
  ['create', () => ({ 'notes.txt': 'Order more tulips.\n' }), 'Done.', false],
];

describe('the first steps with a model', () => {
  it('are three and run no command', () => {
    assert.deepEqual(
      firstSteps.map(({ commands = [] }) => commands),
      [[], [], []],
    );
  });

  for (const [name, files, answer, isRight] of ROWS) {
    it(`${name}: ${isRight ? 'accepts' : 'refuses'} "${answer}"`, () => {
      const job = firstSteps.find((each) => each.name === name)!;
      assert.equal(job.fault(files(job), answer) === undefined, isRight);
    });
  }
});

it('every job of the doctor has a fault before it is done', () => {
  for (const { files, fault } of [...examJobs, ...firstSteps])
    for (const answer of ['', 'Done. Everything works.']) assert.match(fault(files, answer) ?? '', /\.$/);
});

describe('a change beside the named files', () => {
  const before = { 'a.txt': 'one\ntwo\n', '.env': 'x' };
  for (const [name, after, names, expected] of [
    ['is nothing in blanks', { ...before, 'a.txt': ' one\n\ntwo' }, [], undefined],
    ['is a line', { ...before, 'a.txt': 'one\n' }, [], 'a.txt has changed.'],
    ['is not in a named file', { ...before, 'a.txt': 'one\n' }, ['a.txt'], undefined],
    ['is a new file', { ...before, b: '' }, [], 'b is new.'],
    ['is no by-product', { ...before, '__pycache__/a.pyc': '', 'b/.c': '' }, [], undefined],
    ['is a file that is gone, a hidden one too', { 'a.txt': 'one\ntwo' }, [], '.env is gone.'],
  ] as const) {
    it(name, () => assert.equal(otherChange(before, after, names), expected));
  }
});

describe('the words of an answer', () => {
  for (const [answer, words, others, isRight] of [
    ['There are 12.', ['12'], [], true],
    ['There are 312.', ['12'], [], false],
    ['Version 1.12', ['12'], [], false],
    ['dispatch-eu', ['dispatch-eu'], ['dispatch'], true],
    ['DISPATCH', ['dispatch'], [], true],
    ['12 or 13', ['12'], ['13'], false],
  ] as const) {
    it(`${answer}: ${isRight}`, () => assert.equal(wordFault(answer, words, others) === undefined, isRight));
  }
});

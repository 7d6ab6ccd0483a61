import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { allJobs, halfOfJobs } from '../../bench/jobs/all-jobs';
import { isAnswerOnly, KINDS, type Ending, type Job } from '../../bench/jobs/job';
import { JobFolder } from '../../bench/jobs/job-folder';

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the jobs of the benchmark', () => {
  it('are at least two of each kind, in thirty or more', () => {
    for (const kind of KINDS) assert.ok(allJobs.filter((job) => job.kind === kind).length >= 2, kind);
    assert.ok(allJobs.length >= 30);
    assert.equal(new Set(allJobs.map(({ name }) => name)).size, allJobs.length);
  });

  it('have one of each kind in their half', () => {
    assert.deepEqual(
      halfOfJobs.map(({ kind }) => kind),
      KINDS,
    );
  });

  it('ask at most a third of the time for an answer only', () => {
    assert.ok(allJobs.filter(isAnswerOnly).length * 3 <= allJobs.length);
  });

  it('are small projects and short tasks, some of them in Chinese', () => {
    for (const { name, files, task } of allJobs) {
      const count = Object.keys(files).length;
      assert.ok(count >= 2 && count <= 8, name);
      assert.ok((task.match(/[.?!。?!](?=\s|$)/g) ?? []).length <= 3, name);
    }
    assert.ok(allJobs.filter(({ task }) => /\p{Script=Han}/u.test(task)).length >= 4);
  });

  it('do not give their answer away in the task', () => {
    for (const { name, task, right } of allJobs.filter(isAnswerOnly))
      assert.ok(!task.includes(right[0].answer), name);
  });
});

describe('the check of the job', () => {
  for (const job of allJobs) {
    const needsPython = Object.keys(job.files).some((name) => name.endsWith('.py'));
    (needsPython && !hasPython ? it.skip : it)(job.name, () => {
      // A model that changes nothing may still claim to have done it.
      const claims = isAnswerOnly(job) ? [] : job.right.map(({ answer }) => answer);
      for (const answer of ['', 'Done. The task is finished, and everything works.', ...claims])
        assert.ok(!passes(job, { answer }), `The untouched folder passes with "${answer}".`);
      for (const [at, ending] of job.wrong.entries())
        assert.ok(!passes(job, ending), `The wrong result ${at} passes.`);
      for (const ending of job.right) check(job, ending);
      if (isAnswerOnly(job)) {
        const [name = ''] = Object.keys(job.files);
        const harm: Ending = { files: { [name]: null }, answer: job.right[0].answer };
        assert.ok(!passes(job, harm), `It passes although ${name} was deleted.`);
      }
    });
  }
});

describe('a job that runs a command', () => {
  for (const job of allJobs.filter(({ kind }) => kind === 'run-and-report'))
    (hasPython ? it : it.skip)(`is answered by what the command prints: ${job.name}`, () => {
      const [command = '', ...args] = job.commands?.[0]?.split(' ') ?? [];
      inFolder(job, (folder) => {
        const { stdout } = spawnSync(command, args, { cwd: folder.root, encoding: 'utf8' });
        job.check(folder, stdout);
      });
    });
});

function passes(job: Job, ending: Ending): boolean {
  try {
    check(job, ending);
    return true;
  } catch {
    return false;
  }
}

/** Throws as the check does. */
function check(job: Job, ending: Ending): void {
  inFolder(job, (folder) => {
    folder.apply(ending);
    job.check(folder, ending.answer);
  });
}

function inFolder(job: Job, work: (folder: JobFolder) => void): void {
  const root = mkdtempSync(path.join(tmpdir(), 'parley-job-'));
  try {
    work(new JobFolder(root, job.files));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

// SAFETY: GitHub reads the file in this form; the first test fails if it has another one.
const workflow = load(readFileSync('.github/workflows/ci.yml', 'utf8')) as Workflow;
const jobs = Object.entries(workflow.jobs);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('the workflow', () => {
  it('has jobs, one of them for desktops', () => {
    assert.ok(workflow.jobs['desktop']);
    for (const [name, { steps }] of jobs) assert.ok(steps.length > 0, name);
  });

  it('runs only scripts of the package', () => {
    const runs = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
    const named = runs.flatMap((run) =>
      [...run.matchAll(/\bnpm (?:run|run-script) ([\w:-]+)/g)].map(([, name]) => name),
    );
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((name = '') => !(name in scripts)),
      [],
    );
    const short = runs.flatMap((run) => [...run.matchAll(/\bnpm (test|start)\b/g)].map(([, name]) => name));
    assert.deepEqual(
      short.filter((name = '') => !(name in scripts)),
      [],
    );
  });

  it('names only files that exist', () => {
    // Of a step, what looks like a file of this repository: with a folder, or run by Node.
    const files = jobs.flatMap(([, { steps }]) =>
      steps.flatMap(({ run = '', uses = '' }) => [
        ...[...run.matchAll(/(?:^|\s)node (?:--[\w=-]+ )*([\w./-]+\.m?js)/gm)].map(([, file]) => file ?? ''),
        ...[...run.matchAll(/(?:^|[\s'"])((?:\.\/)?(?:src|test|build|docs|media|l10n)\/[\w./-]+)/gm)].map(
          ([, file]) => file ?? '',
        ),
        ...[...run.matchAll(/^(\.{1,2}[\w-]*\/[\w./-]+)/gm)].map(([, file]) => file ?? ''),
        ...(uses.startsWith('./') ? [uses] : []),
      ]),
    );
    // What a build makes is in `out` and `dist`.
    const missing = files.filter((file) => !/^(?:out|dist)\//.test(file) && !existsSync(file));
    assert.ok(files.length > 0);
    assert.deepEqual(missing, []);
  });
});

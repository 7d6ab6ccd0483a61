import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAll } from '../hosts/random-cases';
import { repository } from '../hosts/repository';
import { FakeEndpoint } from '../support/servers/fake-endpoint';
import { answerExams } from '../support/servers/exam-endpoint';
import { RepositoryCopy } from '../support/workspace/repository-copy';
import { isSandboxAvailable } from '../support/sandbox-available';
import { runInShell } from '../support/processes/run-in-shell';

/** Commands that are not run here, with the reason why they are covered. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci': 'it has run before this test',
  'npm test': 'runs this test',
  'npm run test:all': 'runs this test, too',
  'npm run check': 'a step of npm test',
  'npm run test:unit': 'a step of npm test',
  'npm run package': 'the unit tests make a package, and npm run test:all installs it',
  'npm run bench:cost': 'takes minutes; run before a change of prompts lands',
  'npm run bench:edit': 'takes minutes',
  'node out/test/bench/parsers.js hermes': 'takes minutes',
  'npm run format': 'the lint step of npm test checks every file with the same program',
};

/** Commands that do not end by themselves, with the output that shows success. */
const ENDLESS: Readonly<Record<string, RegExp>> = {
  'npm start': /Parley runs at http:\/\/127\.0\.0\.1:\d+/,
  'npm run watch': /^watching$/m,
  'npm run test:watch -- test/unit/tools/registry.test.ts': /^\d+\.\d s\. Waiting for changes\.$/m,
  'node dist/cli.js serve --base-url http://127.0.0.1:8080/v1 --model-name my-model': /^Token: \S+$/m,
};

/** Text that must be in the output if the exit code is not enough. */
const SAYS: readonly (readonly [RegExp, RegExp])[] = [
  [/--model demo/, /Done\./],
  [/ run .*--base-url/, /All done\./],
  [/parse /, /"calls":\[\{"id":"c1","name":"read_file","arguments":\{"path":"notes\.txt"\}/],
  [/ tools$/, /^search_text \(files, read\)$/m],
  [/ prompt /, /「始」/],
  [/ call read_file/, /^b\n$/],
  [/check sandbox/, /works/],
  [/--sandbox .*plum/, /\[run_shell_command\] success[^]*plum/],
  [/check command/, /"decision":"ask"/],
  [/check path/, /"resolved":"\/abs\/ws\/src\/a\.ts"/],
  [/ doctor /, /"hermes" did (\d+) of \1 tasks/],
  [/ replay /, /Edited notes\.txt/],
  [/npm run size/, /kB {2}dist\/extension\.js/],
];

/**
 * Take long: the unit tests examine with fewer tasks, and `npm test` itself builds everything first. `npm start` and
 * the tests of what a contributor adds run the other scripts.
 */
const LONG = / doctor |^npm run (?:build|manifest|size|watch)$/;

describe('commands of the documents', function () {
  this.timeout(120_000);
  let copy: RepositoryCopy;
  let endpoint: FakeEndpoint;
  let examined: FakeEndpoint;

  before(async () => {
    copy = await RepositoryCopy.create();
    endpoint = await FakeEndpoint.start();
    examined = await FakeEndpoint.start();
    examined.always(answerExams('hermes', 1));
  });
  after(async () => {
    await endpoint.stop();
    await examined.stop();
    await copy.dispose();
  });

  /** The output of each command: a command in two documents runs once. */
  const outputs = new Map<string, Promise<string>>();
  const outputOf = (command: string): Promise<string> => {
    const output = outputs.get(command) ?? run(command);
    outputs.set(command, output);
    return output;
  };
  const run = async (command: string): Promise<string> => {
    const until = ENDLESS[command];
    const { code, output } = await runInShell(
      command
        .replace('http://127.0.0.1:11434/v1', endpoint.baseUrl)
        .replace(/(?<= doctor .*)http:\/\/127\.0\.0\.1:8080\/v1/, examined.baseUrl),
      {
        cwd: copy.folder,
        env: { ...process.env, PARLEY_HOST: 'server' },
        ...(until && { until }),
      },
    );
    if (until) assert.match(output, until);
    else assert.equal(code, 0, output);
    return output;
  };

  const pages = readdirSync(path.join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file));
  for (const file of ['README.md', 'CONTRIBUTING.md', ...pages]) {
    for (const line of commandLines(file)) {
      it(`${file}: ${line}`, async function () {
        if (LONG.test(line) && !isAll) this.skip();
        if (/sandbox/.test(line) && !(await isSandboxAvailable(this))) this.skip();
        for (const command of line.split(' && ')) {
          if (ELSEWHERE[command] !== undefined) continue;
          const output = await outputOf(command);
          for (const [wanted, says] of SAYS) if (wanted.test(command)) assert.match(output, says);
        }
      });
    }
  }
});

/** The lines of all shell code blocks. */
function commandLines(file: string): readonly string[] {
  const text = readFileSync(path.join(repository, file), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n([^]*?)^```$/gm)].map(
    ([, block]) => block ?? '',
  );
  return blocks.flatMap((block) => block.split('\n').filter((line) => line.trim() !== ''));
}

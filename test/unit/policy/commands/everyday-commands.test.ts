import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { parseRule, ruleText } from '../../../../src/policy/commands/rules';
import { caseCount } from '../../../hosts/random-cases';
import { posix } from '../../../support/platform';
import { commandPorts } from '../../../support/workspace/command-ports';
import { askingEveryday, everydayCommands } from './everyday-commands';

const all = Object.entries(everydayCommands).flatMap(([rule, commands]) =>
  commands.map((command) => ({ rule, command })),
);

posix.describe('commands of public projects', () => {
  const ports = commandPorts();
  let root: string;
  before(async () => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-everyday-')));
    for (const name of [
      'src/components',
      'src/api',
      'tests',
      'spec/models',
      'pkg/foo',
      'cmd/server',
      'build',
      'vendor/bin',
    ])
      mkdirSync(path.join(root, name), { recursive: true });
    for (const name of ['src/a.ts', 'src/b.ts', 'package.json', 'README.md', 'Makefile'])
      writeFileSync(path.join(root, name), '');
    await ports.grammar();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const judge = async (command: string, rule: string) =>
    judgeCommand({ command, shell: 'posix', allow: [rule], deny: [], roots: [root], cwd: root }, ports);

  for (const { rule, command } of all) {
    const expected = command in askingEveryday ? 'ask' : 'auto';
    it(`${command} → ${expected}`, async () => {
      const { decision, reason } = await judge(command, rule);
      assert.equal(decision, expected, reason);
    });
  }

  it('are many, and few of them ask', () => {
    const asked = Object.keys(askingEveryday);
    assert.deepEqual(
      asked.filter((command) => !all.some((each) => each.command === command)),
      [],
    );
    assert.ok(all.length >= 200, `${all.length}`);
    assert.ok(asked.length <= all.length * 0.05, `${asked.length} of ${all.length}`);
  });

  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
    minLength: 4,
    maxLength: 12,
  });
  /** Options that no program has. */
  const unknown = fc.oneof(
    letters.map((name) => `--zq-${name}`),
    letters.map((name) => `--zq-${name}=src`),
    letters.map((name) => `-zq${name}`),
  );

  it('G48 each of them asks with one unknown option more, wherever it stands', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        unknown,
        fc.nat(),
        async ({ rule, command }, option, place) => {
          const named = parseRule(rule).length;
          const words = parseRule(command);
          const at = named + (place % (words.length - named + 1));
          const longer = ruleText([...words.slice(0, at), option, ...words.slice(at)]);
          // It prints every word.
          if (words[0] === 'echo') return;
          const { decision, reason } = await judge(longer, rule);
          assert.equal(decision, 'ask', `${longer}: ${reason}`);
        },
      ),
      { numRuns: caseCount(400) },
    );
  });
});

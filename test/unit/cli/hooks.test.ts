import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from '../../support/processes/run-cli';

describe('hooks on the command line', () => {
  let workspace: string;
  let folder: string;
  beforeEach(() => {
    workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hooked-')));
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hooks-')));
    writeFileSync(path.join(workspace, 'a.txt'), 'text of a\n');
  });
  afterEach(() => {
    for (const each of [workspace, folder]) rmSync(each, { recursive: true, force: true });
  });

  /** Options with hooks that run these scripts. */
  function hooks(scripts: Readonly<Record<string, string>>): readonly string[] {
    const settings = Object.entries(scripts).map(([event, code]) => {
      const script = path.join(folder, `${event}.js`);
      writeFileSync(script, code);
      return [event, [{ command: [process.execPath, script] }]];
    });
    const file = path.join(folder, 'hooks.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(settings)));
    return ['--workspace', workspace, '--hooks', file];
  }

  const read = JSON.stringify({ path: 'a.txt' });

  for (const { name, code, expected } of [
    {
      name: 'refuses what a hook refuses',
      code: 'console.error("no"); process.exit(2)',
      expected: /a hook says: no/,
    },
    {
      name: 'refuses what a hook would ask',
      code: `console.log('{"decision":"ask","reason":"look"}')`,
      expected: /it needs approval, because a hook says: look/,
    },
    {
      name: 'refuses if a hook fails',
      code: 'process.exit(1)',
      expected: /it needs approval, because the hook/,
    },
    {
      name: 'G44: lets nothing through that is refused',
      code: `console.log('{"decision":"allow"}')`,
      expected: /needs approval/,
    },
  ]) {
    it(`call: ${name}`, async () => {
      const { stdout, code: exit } = await runCli(
        ['call', 'read_file', ...hooks({ beforeCall: code })],
        read,
      );
      assert.match(stdout, expected);
      assert.doesNotMatch(stdout, /text of a/);
      assert.equal(exit, 0);
    });
  }

  it('call: adds the note of a hook', async () => {
    const { stdout } = await runCli(
      ['call', 'read_file', ...hooks({ beforeCall: '', afterCall: `console.log('{"note":"seen"}')` })],
      read,
    );
    assert.match(stdout, /text of a\s+\[User hook: seen\]/);
  });

  it('run: asks before each call and tells the end, before it ends itself', async () => {
    const file = path.join(folder, 'end.json');
    const end = `process.stdin.on('data', (d) => setTimeout(() => require('fs').writeFileSync(${JSON.stringify(file)}, d), 300))`;
    const { stderr, code } = await runCli([
      'run',
      ...hooks({ beforeCall: 'process.exit(2)', runEnd: end }),
      '--model',
      'demo',
      'read a.txt',
    ]);
    assert.match(stderr, /\[read_file\] denied/);
    assert.equal(code, 0);
    assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { outcome: string }).outcome, 'done');
  });

  it('says what is wrong with the file', async () => {
    const file = path.join(folder, 'hooks.json');
    for (const text of ['{', '{"beforeCall":[{"command":"x"}]}', '{"before":[]}']) {
      writeFileSync(file, text);
      const { code, stderr } = await runCli(
        ['call', 'read_file', '--workspace', workspace, '--hooks', file],
        read,
      );
      assert.equal(code, 2);
      assert.ok(stderr.includes(file));
    }
  });
});

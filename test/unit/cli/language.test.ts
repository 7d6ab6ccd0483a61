import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from '../../support/processes/run-cli';

describe('the language of the command line', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'parley-language-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const { env, expected } of [
    { env: { LC_ALL: 'zh_CN.UTF-8' }, expected: /路径 missing\.txt 处没有内容/ },
    { env: { LC_ALL: '', LC_MESSAGES: '', LANG: 'zh_CN.UTF-8' }, expected: /路径 missing\.txt 处没有内容/ },
    { env: { LC_ALL: 'de_DE.UTF-8', LANG: 'zh_CN.UTF-8' }, expected: /No file at missing\.txt\./ },
    { env: { LC_ALL: 'zh_TW.UTF-8' }, expected: /No file at missing\.txt\./ },
  ]) {
    it(`follows the environment: ${JSON.stringify(env)}`, async () => {
      const { stderr } = await runCli(
        ['run', '--workspace', folder, '--model', 'demo', 'read missing.txt'],
        '',
        env,
      );
      assert.match(stderr, expected);
    });
  }

  const chinese = { LC_ALL: 'zh_CN.UTF-8' };

  it('is the language of the help, whose syntax stays unchanged', async () => {
    const english = (await runCli(['--help'], '', { LC_ALL: 'C' })).stdout.split('\n');
    const { stdout, code } = await runCli(['--help'], '', chinese);
    assert.equal(code, 0);
    assert.match(stdout, /^parley: 不带编辑器的 Parley 引擎\n/);
    assert.match(stdout, /\n {2}parley tools \[--json\] +内置工具\n/);
    const forms = (lines: readonly string[]): readonly string[] =>
      lines.flatMap((line) => /^ +(?:parley [a-z-]+|\[-)/.exec(line)?.[0] ?? []);
    assert.deepEqual(forms(stdout.split('\n')), forms(english));
    for (const line of stdout.split('\n')) assert.doesNotMatch(line, / {3,}(?:< )?[a-z]+ [a-z]/, line);
  });

  for (const { args, code, says } of [
    { args: ['dance'], code: 2, says: /^parley: 没有命令“dance”。/ },
    { args: ['tools', '--fast'], code: 2, says: /^parley tools: 此处没有选项 --fast。/ },
    { args: ['parse', '--protocol'], code: 2, says: /^parley parse: --protocol 需要一个值。/ },
    { args: ['tools', '--json=1'], code: 2, says: /^parley tools: --json 不带值。请去掉该值。/ },
    {
      args: ['tools', 'read_file'],
      code: 2,
      says: /^parley tools: 此处不需要“read_file”。运行“parley tools”/,
    },
    { args: ['run'], code: 2, says: /^parley run: 请将任务放在引号中/ },
    {
      args: ['prompt', '--protocol', 'x'],
      code: 2,
      says: /^parley prompt: 没有协议“x”。请使用以下之一：native, /,
    },
    {
      args: ['replay', 'package.json'],
      code: 1,
      says: /^parley replay: package\.json 不是可读取的会话文件。/,
    },
  ]) {
    it(`is the language of the error for "${args.join(' ')}"`, async () => {
      const ended = await runCli(args, '', chinese);
      assert.equal(ended.code, code);
      assert.match(ended.stderr, says);
    });
  }

  it('is the language of the reason why nothing ran unasked', async () => {
    const args = ['run', '--workspace', folder, '--model', 'demo', 'run touch a.txt'];
    const { stderr } = await runCli(args, '', chinese);
    assert.match(stderr, /它需要批准，原因：/);
    assert.doesNotMatch(stderr, /needs approval/);
  });

  it('is English for programs', async () => {
    const env = { LC_ALL: 'zh_CN.UTF-8' };
    const args = ['run', '--workspace', folder, '--model', 'demo', '--json', 'read missing.txt'];
    const { stdout } = await runCli(args, '', env);
    assert.match(stdout, /No file at missing\.txt\./);
  });
});

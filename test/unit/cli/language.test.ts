import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cli } from '../../support/command-line';

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
    it(`is that of the environment: ${JSON.stringify(env)}`, async () => {
      const { stderr } = await cli(
        ['run', '--workspace', folder, '--model', 'demo', 'read missing.txt'],
        '',
        env,
      );
      assert.match(stderr, expected);
    });
  }

  it('is English for programs', async () => {
    const env = { LC_ALL: 'zh_CN.UTF-8' };
    const args = ['run', '--workspace', folder, '--model', 'demo', '--json', 'read missing.txt'];
    const { stdout } = await cli(args, '', env);
    assert.match(stdout, /No file at missing\.txt\./);
  });
});

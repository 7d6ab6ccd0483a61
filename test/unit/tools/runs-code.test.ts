import assert from 'node:assert/strict';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

const PROMISED =
  `package.json Makefile a.mk CMakeLists.txt pyproject.toml conftest.py setup.py pom.xml build.gradle
  build.gradle.kts Cargo.toml build.rs vite.config.ts jest.config.js .eslintrc.json .mocharc.cjs Dockerfile
  docker-compose.yml Rakefile Gemfile PACKAGE.JSON`.split(/\s+/);
const ORDINARY = [
  'a.txt',
  'src/package.json.md',
  'notes/makefile.txt',
  'src/build/x.ts',
  'README.md',
  'config.ts',
];

describe('a change of what runs later', () => {
  let scratch: ScratchWorkspace;
  before(async () => {
    scratch = await ScratchWorkspace.create({ 'package.json': '{"scripts":{}}', 'a.txt': 'a' });
  });
  after(() => scratch.dispose());

  const marked = async (
    tool: string,
    input: Parameters<ScratchWorkspace['prepare']>[1],
  ): Promise<boolean> => {
    const { preview } = await scratch.prepare(tool, input);
    assert.equal(preview?.type, 'diff');
    return preview.runsCode === true;
  };

  it('carries a mark', async () => {
    for (const name of PROMISED) {
      for (const path of [name, `deep/er/${name}`]) {
        const input = { path, content: 'x', overwrite: true };
        assert.ok(await marked('write_file', input), path);
      }
    }
    const edit = { path: 'package.json', old: '{}', new: '{"test":"sh x"}' };
    assert.ok(await marked('edit_file', edit));
  });

  it('is distinguished from other files', async () => {
    for (const path of ORDINARY)
      assert.ok(!(await marked('write_file', { path, content: 'x', overwrite: true })), path);
    assert.ok(!(await marked('edit_file', { path: 'a.txt', old: 'a', new: 'b' })));
  });

  it('asks no more than others do', async () => {
    const { accesses } = await scratch.prepare('edit_file', { path: 'package.json', old: '{}', new: '[]' });
    assert.deepEqual(
      accesses.map(({ verdict }) => verdict.decision),
      ['auto'],
    );
  });
});

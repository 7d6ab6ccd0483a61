import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Approve } from '../../../src/core/run/agent-options';
import { executeGiven } from '../../../src/core/run/execute';
import type { ToolResult } from '../../../src/core/words/messages';
import { judgeCall } from '../../../src/policy/approvals';
import { testConfig } from '../../support/agent/test-session';
import {
  buildHostileWorkspace,
  LINKS_OUT,
  OUTSIDE_TEXT,
  POISONED_NAMES,
  type HostileWorkspace,
} from '../../support/workspace/hostile-workspace';
import { delegate } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { posix } from '../../support/platform';

/** Characters that must never be shown raw: escapes, other controls, direction and tag characters. */
const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

posix.describe('hostile workspace', () => {
  let parent: string;
  let hostile: HostileWorkspace;
  let scratch: ScratchWorkspace;
  let isTrusted: boolean;

  before(async () => {
    parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hostile-')));
    hostile = buildHostileWorkspace(parent, 'http://127.0.0.1:9');
    scratch = await ScratchWorkspace.create({}, { roots: [hostile.folder] });
  });
  beforeEach(() => (isTrusted = true));
  afterEach(() => assert.equal(hostile.traces(), ''));
  after(async () => {
    await scratch.dispose();
    rmSync(parent, { recursive: true, force: true });
  });

  /** The result under the policy, and whether the user would have been asked; asked calls are refused. */
  async function call(name: string, input: Record<string, string>): Promise<ToolResult & { asked: boolean }> {
    const tool = scratch.registry.resolve(name);
    assert.ok(tool);
    let asked = false;
    const approve: Approve = async (request) => {
      const { verdict } = judgeCall(request, { ...testConfig, isTrusted }, []);
      asked ||= verdict.decision === 'ask';
      return { type: verdict.decision === 'auto' ? 'run' : 'reject', by: 'policy', reason: verdict.reason };
    };
    const options = { approve, delegate, caller: {}, emit: () => undefined, timeoutMs: 30_000 };
    return {
      ...(await executeGiven({ id: 'a', arguments: input }, tool, options, new AbortController().signal)),
      asked,
    };
  }

  for (const [name, file] of Object.entries(POISONED_NAMES)) {
    it(`G16.names: reads or refuses a name with ${name}, and shows it safely`, async () => {
      const { result, asked } = await call('read_file', { path: file });
      assert.doesNotMatch(result, UNSAFE);
      assert.match(result, /content of a poisoned name|is refused: control or direction character/);
      assert.equal(asked, false);
    });
  }

  for (const [tool, input] of [
    ['read_folder', { path: '.' }],
    ['find_files', { glob: '**' }],
    ['search_text', { query: 'poisoned name' }],
    ['read_file', { path: 'invoice.txt' }],
  ] as const) {
    it(`G16.names: shows poisoned names safely in the result of ${tool}`, async () => {
      const { result } = await call(tool, input);
      assert.doesNotMatch(result, UNSAFE);
    });
  }

  for (const [tool, input] of [
    ['read_file', { path: 'controls.txt' }],
    ['search_text', { query: 'plain', path: 'controls.txt' }],
  ] as const) {
    it(`G16.model: draws tag characters and terminal escapes for the model in the result of ${tool}`, async () => {
      const { result } = await call(tool, input);
      assert.doesNotMatch(result, UNSAFE);
      assert.match(result, /plain ⟨U\+001B⟩\[2Jcleared/);
      assert.match(result, /⟨U\+E0069⟩/);
    });
  }

  it('G30.undecodable: refuses a file that is not the text it claims to be', async () => {
    assert.match((await call('read_file', { path: 'invalid.txt' })).result, /is not utf-8 text/);
  });

  it('G6.fifo: waits for no pipe, and reads no device', async () => {
    assert.match((await call('read_file', { path: 'pipe' })).result, /refused: not a regular file/);
    assert.match((await call('read_file', { path: 'device' })).result, /refused: not a regular file/);
  });

  for (const link of LINKS_OUT) {
    it(`G6.links-out: asks before it reads through ${link}`, async () => {
      const { asked, result } = await call('read_file', { path: link });
      assert.ok(asked);
      assert.ok(!result.includes(OUTSIDE_TEXT));
    });

    it(`G2.outside: reads nothing through ${link} in Restricted Mode, and does not ask either`, async () => {
      isTrusted = false;
      const { asked, result } = await call('read_file', { path: link });
      assert.ok(!asked);
      assert.match(result, /the workspace is not trusted, and this place is outside it/);
    });

    it(`G6.links-out: writes nothing through ${link}`, async () => {
      const { asked, status } = await call('write_file', { path: link, content: 'x' });
      assert.ok(!asked);
      assert.notEqual(status, 'success');
    });
  }

  for (const link of ['dangling', 'circle']) {
    it(`G6.${link}: creates nothing through the link`, async () => {
      const { asked, status } = await call('write_file', { path: link, content: 'x' });
      assert.ok(!asked);
      assert.notEqual(status, 'success');
    });
  }

  it('G6.links-out: finds and searches nothing through a link', async () => {
    assert.doesNotMatch((await call('find_files', { glob: '**/secret.txt' })).result, /out-folder\/|deep/);
    assert.match((await call('search_text', { query: OUTSIDE_TEXT })).result, /No line matches/);
  });

  it('G2.untrusted: edits and commands are refused unasked in Restricted Mode', async () => {
    isTrusted = false;
    for (const [name, input] of [
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['edit_file', { path: 'notes.txt', old: 'apples', new: 'pears' }],
      ['run_shell_command', { command: 'git status' }],
    ] as const) {
      const { status, asked, result } = await call(name, input);
      assert.deepEqual([status, asked], ['denied', false]);
      assert.match(result, /the workspace is not trusted/);
    }
  });

  it('G1.git: a command that the user runs starts no program of the git configuration', async () => {
    await scratch.call('run_shell_command', { command: 'git status; git log; git diff' });
  });

  it('G1.search: searching starts no program that the workspace names', async () => {
    await call('search_text', { query: 'poisoned' });
    await call('read_folder', { path: '.' });
  });
});

import assert from 'node:assert/strict';
import { ChangeGuard } from '../../../../src/core/run/changes/change-guard';
import { FormFacts } from '../../../../src/core/run/form-facts';
import type { RenderedPart } from '../../../../src/core/words/protocol';
import { findProtocol } from '../../../../src/protocols';
import { toolsForSteps } from '../../../../src/tools/tools-for-steps';
import { testConfig, testSession } from '../../../support/agent/test-session';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

const plain = findProtocol('plain')!;
const FILES = { 'src/a.js': "console.log(require('./b').total);\n", 'notes.txt': 'see docs/old.md\n' };

describe('what a form knows of the workspace', () => {
  let scratch: ScratchWorkspace;
  before(async () => (scratch = await ScratchWorkspace.create(FILES)));
  after(() => scratch.dispose());

  const call = (name: string, args: Record<string, string>): RenderedPart => ({
    type: 'call',
    call: { id: '', name, arguments: args },
  });

  /** After these calls, each in a step of its own. */
  async function facts(
    message: string,
    calls: readonly RenderedPart[],
  ): Promise<NonNullable<Awaited<ReturnType<FormFacts['now']>>>> {
    const { session, model } = testSession({
      ...{ protocol: plain, steps: 'one', files: Object.keys(FILES) },
      replies: calls.map((each) => [{ type: 'text', text: 'I look.' } as const, each]),
      tools: toolsForSteps(scratch.registry.offered(testConfig), testConfig),
      judge: () => ({ verdict: { decision: 'auto', reason: 'a test' }, grants: [] }),
    });
    await session.send(message);
    const last = model.requests.at(-1)?.origin.conversation.facts;
    assert.ok(last);
    return last;
  }

  it('is the files of the project, and what the user and listings name', async () => {
    const known = await facts('Look around, also at docs/new.md.', [
      call('run_command', { command: 'echo build/made.txt' }),
    ]);
    assert.deepEqual(known.files, ['build/made.txt', 'docs/new.md', 'notes.txt', 'src/a.js']);
  });

  it('is no code of a file that was read, and no path that the model has invented', async () => {
    const known = await facts('Look around.', [
      call('read_file', { path: 'src/a.js' }),
      call('read_file', { path: 'src/invented.js' }),
      call('replace_lines', { path: 'src/other.js', old: 'x\n', new: 'y\n' }),
    ]);
    assert.deepEqual(known.files, ['notes.txt', 'src/a.js']);
    assert.deepEqual(known.seen, ['src/a.js']);
  });

  it('is the same object while nothing changes', async () => {
    const { session } = testSession({ protocol: plain, files: Object.keys(FILES), replies: [] });
    const options = {
      tools: { offer: { offered: () => [], whyUnavailable: () => undefined }, config: () => testConfig },
      conversation: { transcript: () => session.transcript },
    };
    // SAFETY: it reads nothing else of the options.
    const known = new FormFacts(
      options as unknown as ConstructorParameters<typeof FormFacts>[0],
      new ChangeGuard('Look around.', true),
    );
    assert.equal(await known.now(), await known.now());
  });
});

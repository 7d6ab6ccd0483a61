import assert from 'node:assert/strict';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { toolCallRows } from '../../support/workspace/tool-call-rows';

// The integration tests compare the same rows with what the tools say in the editor.
describe('the calls that are answered alike everywhere', () => {
  let scratch: ScratchWorkspace;
  beforeEach(async () => (scratch = await ScratchWorkspace.create()));
  afterEach(() => scratch.dispose());

  it('are made of every built-in tool that needs no editor', () => {
    const called = new Set(toolCallRows().flatMap(({ calls }) => calls.map(([name]) => name)));
    const wanted = scratch.tools.filter(({ toolset }) => toolset !== 'editor');
    assert.deepEqual([...called].sort(), wanted.map(({ spec }) => spec.name).sort());
  });

  it('leave out tools that need an editor, which are not offered here', () => {
    const editor = scratch.tools.filter(({ toolset }) => toolset === 'editor');
    assert.deepEqual(
      editor.map(({ spec, whyNotOffered }) => [spec.name, whyNotOffered !== undefined]),
      [
        ['get_problems', true],
        ['get_symbols', true],
        ['rename_symbol', true],
      ],
    );
  });
});

import { deepEqual } from 'node:assert/strict';
import type { LabToolset } from '../../../../src/contract/lab-tools';
import { fitting, sorted } from '../../../../src/webview/lab/tools-tab';

const toolset = (id: string, ...names: readonly string[]): LabToolset => ({
  id,
  tools: names.map((name) => ({
    name,
    description: `About ${name}`,
    parameters: {},
    effect: 'read',
    isOn: true,
    words: { state: '', effect: '', source: '', cost: '' },
  })),
});
const shown = (toolsets: readonly LabToolset[]): readonly string[] =>
  toolsets.map(({ id, tools }) => `${id}: ${tools.map(({ name }) => name).join(' ')}`);

describe('tools of the lab', () => {
  const all = [toolset('web', 'fetch'), toolset('files', 'write', 'read'), toolset('agent', 'ask', 'call')];

  it('are sorted by name', () => {
    deepEqual(shown(sorted(all, 'name')), ['agent: ask call', 'files: read write', 'web: fetch']);
  });

  it('are sorted by the number of methods, and by name where that is the same', () => {
    const more = [...all, toolset('shell', 'run', 'stop', 'log')];
    deepEqual(shown(sorted(more, 'methods')), [
      'shell: log run stop',
      'agent: ask call',
      'files: read write',
      'web: fetch',
    ]);
  });

  it('are found by every word in any position', () => {
    deepEqual(shown(fitting(all, '  FILES about w')), ['files: write']);
    deepEqual(fitting(all, 'files fetch'), []);
    deepEqual(fitting(all, ''), all);
  });
});

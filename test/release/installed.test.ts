import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RenderedPart } from '../../src/core/words/protocol';
import { findProtocol } from '../../src/protocols';
import { ParleyWindow, until } from '../e2e/parley-window';
import { floor, newest } from '../hosts/vscode-versions';
import { FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';

/** The package of this platform, installed as users install it, without a development extension. */
describe('the installed package', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-vsix-'));
    execFileSync(process.execPath, ['package.mjs', '--out', folder], { stdio: 'pipe' });
    const ours = readdirSync(folder).find((name) => name.includes(process.platform));
    assert.ok(ours);
    file = path.join(folder, ours);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const release of [floor, newest]) {
    describe(`in VS Code ${release.version}`, () => {
      let endpoint: FakeEndpoint;
      let window: ParleyWindow;

      before(async () => {
        endpoint = await FakeEndpoint.start();
        window = await ParleyWindow.open({
          release,
          extensions: [],
          packages: [file],
          files: { 'notes.txt': 'two pears\n' },
          unfolded: ['Tools'],
          viewport: { width: 1280, height: 1400 },
          settings: {
            'parley.models': [
              { id: 'local', name: 'Local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' },
            ],
          },
        });
      });
      after(async () => {
        await window.close();
        await endpoint.stop();
      });

      it('answers with the demo model, which runs a tool', async () => {
        await window.send('read notes.txt');
        await window.idle();
        await window.call('read_file').waitFor();
        await eventually(async () => assert.match(await window.log.innerText(), /two pears/));
      });

      it('works with a local endpoint, and leaves out a disabled tool', async () => {
        const native = findProtocol('native');
        assert.ok(native);
        const search: RenderedPart = {
          type: 'call',
          call: { id: 's1', name: 'search_text', arguments: { query: 'pears' } },
        };
        await window.showTool('eval_js');
        const shown = await until(() => window.tool('sandbox').innerText(), /of \d+ on/);
        const all = Number(/of (\d+) on/.exec(shown)?.[1]);
        await window.switchTool('eval_js', 'off');
        await until(() => window.read('.vscode/settings.json'), /"eval_js": false/);
        await until(() => window.tool('sandbox').innerText(), new RegExp(`${all - 1} of ${all} on`));
        endpoint.next(streamParts(native, [search]), streamText('There are **two**.'));
        await window.pick('Model', 'local');
        await window.pick('Protocol', 'native');
        await window.send('how many pears?');
        await window.log.getByText('There are two.').waitFor();
        const [first, second] = endpoint.requests;
        const offered = first?.body.tools?.map((tool) => tool.function.name) ?? [];
        assert.ok(offered.includes('search_text'));
        assert.ok(!offered.includes('eval_js'));
        assert.match(JSON.stringify(second?.body.messages), /notes\.txt[^]*two pears/);
      });

      it('opens the walkthrough', async () => {
        await window.openFirstSteps();
      });
    });
  }
});

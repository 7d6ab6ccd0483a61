import assert from 'node:assert/strict';
import path from 'node:path';
import type { RenderedPart } from '../../src/core/protocol';
import { native } from '../../src/protocols/native';
import { repository } from '../hosts/repository';
import { Endpoint, streamParts } from '../support/endpoint';
import { ParleyWindow, until } from './parley-window';

let calls = 0;
function call(name: string, values: Readonly<Record<string, string>>): RenderedPart {
  return { type: 'call', call: { id: `o${++calls}`, name, arguments: values } };
}

describe('tools of other extensions', () => {
  let endpoint: Endpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await Endpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      viewport: { width: 1280, height: 1800 },
      settings: {
        'parley.model': 'local',
        'parley.models': [profile],
        'parley.agents': [{ id: 'hasty', name: 'Hasty', timeout: 1_000 }],
      },
      extensions: [repository, path.join(repository, 'test/fixtures/other-tools')],
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const offered = (): string[] =>
    endpoint.requests.at(-1)?.body.tools?.map((tool) => tool.function.name) ?? [];
  const told = (): string => JSON.stringify(endpoint.requests.at(-1)?.body.messages);
  async function ask(text: string): Promise<void> {
    await window.send(text);
    await window.idle();
  }
  async function allow(tool: string): Promise<void> {
    await window.call(tool).getByRole('button', { name: 'Run', exact: true }).click();
  }

  it('are off until they are switched on in the tree', async () => {
    await ask('hi');
    assert.ok(!offered().includes('fixture_greet'));
    await window.showTool('fixture_greet');
    await window.workbench.page.getByRole('checkbox', { name: 'fixture_greet is off' }).click();
    await window.workbench.page.getByRole('checkbox', { name: 'fixture_greet is on' }).waitFor();
    await until(() => window.read('.vscode/settings.json'), /"fixture_greet": true/);
    await ask('hi again');
    assert.ok(offered().includes('fixture_greet'));
    assert.ok(!offered().includes('fixture_wait'));
  });

  it('ask every time, run, and say why when they fail', async () => {
    endpoint.next(
      streamParts(native, [call('fixture_greet', { name: 'Ada' })]),
      streamParts(native, [call('fixture_greet', { name: 'nobody' })]),
    );
    await window.send('greet');
    await allow('fixture_greet');
    await window.call('fixture_greet').nth(1).getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.match(told(), /Hello Ada\\n\{\\"shown\\":true\}/);
    assert.match(told(), /fixture_greet failed: there is nobody\. Change the arguments/);
  });

  it('timeout: ends a call that has no limit of its own', async () => {
    await window.showTool('fixture_wait');
    await window.workbench.page.getByRole('checkbox', { name: 'fixture_wait is off' }).click();
    await until(() => window.read('.vscode/settings.json'), /"fixture_wait": true/);
    await window.pick('Agent', 'hasty');
    endpoint.next(streamParts(native, [call('fixture_wait', {})]));
    await window.send('wait');
    await allow('fixture_wait');
    await window.idle();
    assert.match(told(), /Stopped after 1 s, effect unknown\. Ask for less at once, or raise/);
    await window.log.getByText('All done.').waitFor();
  });
});

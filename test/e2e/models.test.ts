import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { native } from '../../src/protocols/native/native';
import { repository } from '../hosts/repository';
import { canaryKey } from '../support/workspace/canary-key';
import { answerWith, FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { probeReplies } from '../support/servers/form-probe';
import { eventually, lookOnce } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';
import { openPicker } from '../support/pages/pickers';

describe('models', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      isTrusted: false,
      extensions: [repository, path.join(repository, 'test/fixtures/chat-models')],
      settings: {
        'parley.model': 'local',
        'parley.models': [
          { id: 'local', name: 'Local', price: { input: 1_000, output: 10_000 }, ...profile },
          { id: 'team', name: 'Team', headers: { 'X-Key': 'k ${secret:TEAM}' }, ...profile },
          { id: 'twin', ...profile },
          { id: 'twin', ...profile },
        ],
      },
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

  const quickInput = (): Locator => window.workbench.page.locator('.quick-input-widget');
  const row = (name: string): Locator => quickInput().getByRole('option').filter({ hasText: name }).first();

  it('G32.visible: shows why there is no text yet, and then only the reply', async () => {
    endpoint.next((response) => {
      response.writeHead(429, { 'retry-after': '2' });
      response.end();
    }, streamText('Here I am.'));
    await window.pick('Model', 'local');
    await window.send('hello');
    await until(
      () => window.log.innerText(),
      /had too many requests \(429\)\. Trying again in 2 s \(2 of 5\)\./,
    );
    await window.idle();
    await eventually(async () => {
      const text = await window.log.innerText();
      assert.match(text, /Here I am\./);
      assert.doesNotMatch(text, /Trying again/);
    });
    assert.equal(endpoint.requests.length, 2);
  });

  it('G32.abort: Stop ends the wait at once', async () => {
    endpoint.next((response) => {
      response.writeHead(503, { 'retry-after': '100' });
      response.end();
    });
    await window.send('hello');
    await until(() => window.log.innerText(), /failed \(503\)\. Trying again in 100 s/);
    await window.button('Stop').click();
    await window.idle();
    await until(() => window.log.innerText(), /Stopped\./);
    assert.equal(endpoint.requests.length, 1);
  });

  it('shows what an answer has cost', async () => {
    endpoint.promptTokens = 12;
    await window.send('hello');
    await window.idle();
    await until(() => window.log.innerText(), /12 in · 34 out · \$0\.35/);
  });

  it('says what is wrong with a profile', async () => {
    await window.pick('Model', 'twin');
    await window.send('hello');
    await until(
      () => window.log.getByRole('alert').innerText(),
      /2 profiles in "parley\.models" have the id "twin"/,
    );
    await window.pick('Model', 'local');
  });

  it('G19.headers: asks for the secret of a header, and sends it there', async () => {
    await window.pick('Model', 'team');
    await window.send('hello');
    await until(() => window.log.getByRole('alert').innerText(), /needs the secret "TEAM".*Set API Key/);
    assert.equal(endpoint.requests.length, 0);
    await window.workbench.runCommand('Parley: Set API Key…');
    await row('TEAM').click();
    const box = quickInput().locator('input[type=password]');
    await box.fill(canaryKey);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await window.startNew();
    await window.send('hello');
    await window.idle();
    assert.equal(endpoint.requests[0]?.headers['x-key'], `k ${canaryKey}`);
    assert.ok(!(await lookOnce(window.page.content())).includes(canaryKey));
    await window.pick('Model', 'local');
  });

  it('lists the models of VS Code when the picker opens, and uses them', async () => {
    const picker = await openPicker(window.page, 'Model');
    await until(() => picker.innerText(), /Fixture Small/);
    await window.pick('Model', 'vscode:fixture/small/1');
    await until(() => window.picked('Model'), /^vscode:fixture\/small\/1$/);
    await window.startNew();
    await window.send('hello');
    await window.idle();
    await until(() => window.log.innerText(), /All done\./);
    assert.equal(endpoint.requests.length, 0);
    await window.pick('Model', 'local');
  });

  it('adds a model of VS Code: tested, and picked without a profile', async () => {
    await window.workbench.runCommand('Parley: Add Model…');
    await row('VS Code models').click();
    await row('Fixture Small').click();
    await until(() => quickInput().innerText(), /5\/5[^]*Auto \(/);
    await window.workbench.page.keyboard.press('Enter');
    await until(() => window.picked('Model'), /^vscode:fixture\/small\/1$/);
    await window.pick('Model', 'local');
  });

  const connections = [
    {
      name: 'a call',
      reply: streamParts(native, [{ type: 'call', call: { id: 'p', name: 'ping', arguments: {} } }]),
      says: /Local works\. It answered after \d+\.\d s and calls native tools\./,
    },
    {
      name: 'text',
      reply: streamText('OK'),
      says: /Local works .* It accepts native tools but called none/,
    },
    {
      name: 'a refusal of tools',
      reply: answerWith(400, 'application/json', '{"error":{"message":"m does not support tools"}}'),
      says: /Local works .* does not support native tools\. Pick a text protocol\./,
    },
    {
      name: 'a 401',
      reply: answerWith(401, 'application/json', '{}'),
      says: /refused the key \(401\)/,
    },
  ];
  for (const { name, reply, says } of connections) {
    it(`tests a connection that answers with ${name}`, async () => {
      endpoint.next(reply);
      await window.workbench.runCommand('Parley: Select Model…');
      await row('Local').hover();
      await row('Local').getByRole('button', { name: 'Test connection' }).click();
      await window.notified(says);
      assert.equal(endpoint.requests[0]?.body.tools?.[0]?.function.name, 'ping');
    });
  }

  const forms = [
    {
      server: 'takes',
      says: /The server can enforce the form of any text protocol, so that no call is malformed\./,
      listed: /form can be forced/,
    },
    {
      server: 'ignores',
      says: /The server cannot enforce the form of replies: the server ignores the option\./,
      listed: /form cannot be forced/,
    },
    {
      server: 'leaks',
      says: /The server cannot enforce the form of replies: the server applies it to the model's thinking instead\./,
      listed: /form cannot be forced/,
    },
    {
      server: 'refuses',
      says: /The server cannot enforce the form of replies: the server refuses the option\./,
      listed: /form cannot be forced/,
    },
  ] as const;
  for (const { server, says, listed } of forms) {
    it(`tests whether replies can be forced into a form, if the server ${server} it`, async () => {
      endpoint.answerProbe = probeReplies[server];
      endpoint.next(streamText('OK'));
      await window.workbench.runCommand('Parley: Select Model…');
      await row('Local').hover();
      await row('Local').getByRole('button', { name: 'Test connection' }).click();
      await window.notified(says);
      await window.workbench.runCommand('Parley: Select Model…');
      await until(() => row('Local').innerText(), listed);
      await window.workbench.page.keyboard.press('Escape');
    });
  }
});

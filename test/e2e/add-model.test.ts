import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { native } from '../../src/protocols/native/native';
import { answerWith, FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { answerJobs } from '../support/servers/job-endpoint';
import { llamaCpp } from '../support/servers/recorded-answers';
import { eventually, lookOnce } from '../support/eventually';
import { clickInRow, ParleyWindow, until } from './parley-window';
import { pickerChip } from '../support/pages/pickers';

/** The ports at which Parley looks for servers on this machine. */
const PORTS = [8000, 8080, 1234, 5001];

const KEY = 'sk-of-the-test-that-adds';
const IMPORTED = 'sk-of-the-test-that-imports';

const ping = streamParts(native, [{ type: 'call', call: { id: 'p', name: 'ping', arguments: {} } }]);

interface Profile {
  readonly id: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly protocol?: string;
}

describe('adding a model', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  let home: string;

  before(async () => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-home-')));
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({ isTrusted: false, env: { HOME: home } });
  });
  beforeEach(() => endpoint.reset());
  after(async () => {
    await window.close();
    await endpoint.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const quickInput = (): Locator => window.workbench.page.locator('.quick-input-widget');
  const box = (): Locator => quickInput().locator('.quick-input-box input').first();
  const option = (name: RegExp): Locator => quickInput().getByRole('option', { name }).first();
  const press = (key: string): Promise<void> => window.workbench.page.keyboard.press(key);
  const port = (): string => new URL(endpoint.baseUrl).port;

  /** Waits for a step: its number in the title, and the text of the box or list. */
  async function step(number: number, says: RegExp): Promise<void> {
    const title = quickInput().locator('.quick-input-title');
    await until(() => title.innerText({ timeout: 1_000 }), new RegExp(`\\(${number}/5\\)`));
    const shown = async (): Promise<string> => {
      const placeholder = (await box().getAttribute('placeholder', { timeout: 1_000 })) ?? '';
      return `${placeholder}\n${await quickInput().innerText()}`;
    };
    await until(shown, says);
  }

  /** Types into a focused box, like a person. */
  async function type(text: string): Promise<void> {
    await until(
      async () => {
        await box().fill(text);
        return box().inputValue();
      },
      new RegExp(`^${text.replaceAll('.', '\\.')}$`),
    );
  }

  async function start(): Promise<void> {
    await window.workbench.runCommand('Parley: Add Model…');
    await step(1, /Select a server or enter its address/);
  }

  function models(): readonly Profile[] {
    const text = readFileSync(window.workbench.server.userSettings, 'utf8');
    return (JSON.parse(text) as { 'parley.models'?: readonly Profile[] })['parley.models'] ?? [];
  }

  async function isGone(): Promise<void> {
    await quickInput().waitFor({ state: 'hidden' });
  }

  it('by its port only: three times Enter after it', async () => {
    endpoint.metadata = llamaCpp(16_384, true);
    endpoint.next(ping);
    await start();
    await type(port());
    await step(1, new RegExp(`Load models from 127\\.0\\.0\\.1:${port()}`));
    await press('Enter');
    await step(3, /smollm2-135m[^]*16,384 tokens · tools/);
    await press('Enter');
    await step(
      5,
      /called a native tool[^]*16,384 tokens[^]*Auto \(Plain\)[^]*Small models work in steps of one call/,
    );
    await press('Enter');
    await until(() => window.picked('Model'), /smollm2-135m/);
    await window.notified(/Parley now uses smollm2-135m \(.*\) \(Plain · 16,384 tokens/);
    const [added] = models();
    assert.deepEqual(
      [added?.baseUrl, added?.model, added?.protocol],
      [endpoint.baseUrl, 'smollm2-135m', undefined],
    );
  });

  it('tries three steps if wanted, and remembers how many were right', async () => {
    endpoint.metadata = { 'GET /v1/models': { data: [{ id: 'able-1b' }] } };
    endpoint.always(answerJobs('native', () => ping));
    await start();
    await type(port());
    await press('Enter');
    await step(3, /able-1b/);
    await press('Enter');
    await step(5, /reads and small edits work, tests rarely[^]*Try three steps…[^]*Runs no command/);
    await option(/^Try three steps/).click();
    await step(5, /3 of 3 steps right/);
    await press('Enter');
    await until(() => window.picked('Model'), /able-1b/);
    await window.workbench.runCommand('Parley: Select Model…');
    await until(() => option(/able-1b/).innerText(), /tests rarely · 3 of 3 small jobs done here/);
    await press('Escape');
    await isGone();
  });

  it('asks for the key of a server, again if it is wrong, and keeps it out of the settings', async () => {
    endpoint.metadata = { 'GET /v1/models': { data: [{ id: 'locked-model' }] } };
    endpoint.key = KEY;
    await start();
    await type(endpoint.baseUrl);
    await press('Enter');
    await step(2, /Sent only to http:\/\/127\.0\.0\.1:\d+\. Stored in VS Code's secret storage/);
    await type('sk-wrong');
    await press('Enter');
    await step(2, /rejected this key/);
    await eventually(async () => assert.equal(await box().getAttribute('type'), 'password'));
    await type(KEY);
    await press('Enter');
    await step(3, /locked-model/);
    await press('Enter');
    await step(5, /Answered after/);
    // The key is stored only if the model is added.
    await press('Escape');
    await isGone();
    assert.ok(!models().some(({ model }) => model === 'locked-model'));
    await start();
    await type(endpoint.baseUrl);
    await press('Enter');
    await step(2, /Sent only to/);
    await type(KEY);
    await press('Enter');
    await step(3, /locked-model/);
    await press('Enter');
    await step(5, /Answered after/);
    await type('VCP');
    await press('Enter');
    await until(() => window.picked('Model'), /locked-model/);
    await until(async () => models().find(({ model }) => model === 'locked-model')?.protocol ?? '', /^vcp$/);
    assert.ok(!readFileSync(window.workbench.server.userSettings, 'utf8').includes(KEY));
    await window.startNew();
    await window.send('hello');
    await window.idle();
    assert.equal(endpoint.requests.at(-1)?.headers.authorization, `Bearer ${KEY}`);
  });

  it('accepts a typed name if the server lists no models, and goes back', async () => {
    endpoint.key = KEY;
    await start();
    await type(port());
    await press('Enter');
    await step(3, /lists no models\. Enter a model name/);
    await quickInput().getByRole('button', { name: 'Back' }).click();
    await step(1, /Select a server/);
    await type(port());
    await press('Enter');
    await step(3, /lists no models/);
    await type('house-model');
    await step(3, /Use the name “house-model”/);
    await press('Enter');
    await step(5, /Answered after/);
    await press('Enter');
    await until(() => window.picked('Model'), /house-model/);
  });

  it('reports a failed test, and what to do next', async () => {
    endpoint.key = KEY;
    endpoint.metadata = { 'GET /v1/models': { data: [{ id: 'broken-model' }] } };
    const refusal = answerWith(
      400,
      'application/json',
      '{"error":{"message":"broken-model is out of order"}}',
    );
    endpoint.next(refusal, refusal);
    await start();
    await type(port());
    await press('Enter');
    await step(3, /broken-model/);
    await press('Enter');
    await step(
      4,
      /Testing broken-model failed[^]*Try again[^]*Enter another key[^]*rejected the request \(400\): broken-model is out of/,
    );
    await press('Enter');
    await step(4, /Testing broken-model failed/);
    await option(/^Save anyway/).click();
    await step(5, /Not tested/);
    await press('Enter');
    await until(() => window.picked('Model'), /broken-model/);
  });

  it('says that nothing answers, and saves nothing when it is closed', async () => {
    const before = models().length;
    await start();
    await type('127.0.0.1:9');
    await press('Enter');
    await step(2, /No server answers at http:\/\/127\.0\.0\.1:9\/v1[^]*Try again[^]*Enter another address/);
    await press('Escape');
    await isGone();
    assert.equal(models().length, before);
  });

  it('looks for servers on this machine only after a click in the greeting', async function () {
    const server = await listenOnOne(PORTS);
    if (!server) this.skip();
    try {
      await window.startNew();
      await window.page.getByRole('button', { name: /Local server|Look for models on this machine/ }).click();
      await step(3, /tiny-model/);
      await option(/^tiny-model/).click();
      await step(5, /Answered after/);
      await press('Enter');
      await until(() => window.picked('Model'), /-tiny-model$/);
      await eventually(async () =>
        assert.match(await pickerChip(window.page, 'Model').innerText(), /tiny-model \(/),
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('edits a profile', async () => {
    await window.workbench.runCommand('Parley: Select Model…');
    await clickInRow(option(/house-model/), 'Edit…', () => option(/^Context window/).isVisible());
    await option(/^Name/).click();
    await type('The house');
    await press('Enter');
    await until(() => quickInput().innerText(), /Edit The house/);
    await option(/^Context window/).click();
    await type('8192');
    await press('Enter');
    await until(() => quickInput().innerText(), /8,192 tokens/);
    await option(/^Protocol/).click();
    await option(/^VCP/).click();
    await until(() => quickInput().innerText(), /Edit The house[^]*Protocol[^]*VCP/);
    await press('Escape');
    await isGone();
    const edited = models().find(({ model }) => model === 'house-model');
    assert.deepEqual(
      { name: edited?.name, protocol: edited?.protocol },
      { name: 'The house', protocol: 'vcp' },
    );
  });

  it('removes profiles, and deletes the key with the last profile at its address', async () => {
    endpoint.key = KEY;
    endpoint.metadata = { 'GET /v1/models': { data: [{ id: 'locked-model' }] } };
    const isHere = models().filter(({ baseUrl }) => baseUrl === endpoint.baseUrl);
    for (const [at, { name = '', id }] of isHere.entries()) {
      await window.workbench.runCommand('Parley: Select Model…');
      const row = quickInput().getByRole('option').filter({ hasText: name }).first();
      const dialog = window.workbench.page.getByRole('dialog').filter({ hasText: `Remove ${name}` });
      await clickInRow(row, 'Remove…', () => dialog.isVisible());
      const isLast = at === isHere.length - 1;
      await window.answer(`Remove ${name}`, isLast ? 'Remove and Forget Key' : 'Remove');
      await until(
        async () =>
          models()
            .map((each) => each.id)
            .join(' '),
        new RegExp(`^(?!.*${id}( |$))`),
      );
    }
    await start();
    await type(port());
    await press('Enter');
    await step(2, /Sent only to/);
    await press('Escape');
    await isGone();
  });

  it('imports models of Continue, and their keys only after confirmation', async () => {
    mkdirSync(path.join(home, '.continue'), { recursive: true });
    writeFileSync(
      path.join(home, '.continue/config.yaml'),
      [
        'models:',
        '  - name: From Continue',
        '    provider: openai',
        '    model: imported-model',
        `    apiBase: ${endpoint.baseUrl}`,
        `    apiKey: ${IMPORTED}`,
        '  - name: Claude',
        '    provider: anthropic',
        '    model: claude',
      ].join('\n'),
    );
    await window.workbench.runCommand('Parley: Import Models…');
    await option(/^Search the configuration files of these programs/).click();
    await until(
      () => quickInput().innerText(),
      /From Continue[^]*imported-model · with its key[^]*Claude[^]*Parley does not support the API of anthropic/,
    );
    assert.ok(!(await lookOnce(quickInput().innerHTML())).includes(IMPORTED));
    await press('Enter');
    await window.answer('Import API keys too?', 'Import Keys');
    await window.notified(/1 model imported, keys: 1\./);
    assert.ok(!readFileSync(window.workbench.server.userSettings, 'utf8').includes(IMPORTED));
    assert.ok(!models().some(({ model }) => model === 'claude'));
    endpoint.key = IMPORTED;
    const id = models().find(({ model }) => model === 'imported-model')?.id ?? '';
    await window.pick('Model', id);
    await window.startNew();
    await window.send('hello');
    await window.idle();
    assert.equal(endpoint.requests.at(-1)?.headers.authorization, `Bearer ${IMPORTED}`);
  });
});

/** Starts a server with one model, which answers, on the first free one of these ports. */
async function listenOnOne(ports: readonly number[]): Promise<Server | undefined> {
  for (const port of ports) {
    const server = createServer((request, response) => {
      if (request.method === 'POST') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(
          'data: {"choices":[{"index":0,"delta":{"content":"pong"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        );
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"data":[{"id":"tiny-model"}]}');
    });
    server.unref();
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isListening) return server;
  }
  return undefined;
}

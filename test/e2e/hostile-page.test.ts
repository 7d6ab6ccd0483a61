import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { ChatToHost } from '../../src/contract/chat';
import { native } from '../../src/protocols/native/native';
import { eventually, lookOnce } from '../support/eventually';
import { FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { hostileMarkdown } from '../support/pages/hostile-markdown';
import { CanaryServer } from '../support/servers/canary-server';
import { ParleyWindow, until } from './parley-window';

/** As VS Code draws it: invisible characters and those that change the text direction may be missing. */
const UNSAFE =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u3164\u{e0000}-\u{e007f}]/u;

describe('hostile page', () => {
  let endpoint: FakeEndpoint;
  let evil: CanaryServer;
  let window: ParleyWindow;
  const asked: string[] = [];

  before(async () => {
    endpoint = await FakeEndpoint.start();
    evil = await CanaryServer.start();
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'x' },
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
      },
      prepare: async (page) => {
        page.on('request', (request) => asked.push(request.url()));
        // An injected script can post any message; the test posts in its place.
        await page.addInitScript(() => {
          let acquire: (() => unknown) | undefined;
          let api: unknown;
          Object.defineProperty(globalThis, 'acquireVsCodeApi', {
            configurable: true,
            get: () => acquire && (() => (api ??= acquire?.())),
            set: (value: () => unknown) => {
              acquire = value;
            },
          });
        });
      },
    });
  });
  beforeEach(() => endpoint.reset());
  afterEach(() => assert.equal(evil.connections, 0, evil.received));
  after(async () => {
    await window.close();
    await endpoint.stop();
    await evil.stop();
  });

  async function post(messages: readonly unknown[]): Promise<void> {
    await window.page.evaluate((all) => {
      const { acquireVsCodeApi } = globalThis as unknown as {
        acquireVsCodeApi: () => { postMessage(message: unknown): void };
      };
      for (const message of all) acquireVsCodeApi().postMessage(message);
    }, messages);
  }

  it('G17.csp: allows exactly what the page needs', async () => {
    const read = (): Promise<string> =>
      window.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content').then(String);
    const policy = await read();
    const source = String.raw`'self' https:\/\/\*\.[\w.-]+|https:\/\/[\w.*-]+`;
    assert.match(
      policy,
      new RegExp(
        `^default-src 'none'; style-src (?:${source}) 'nonce-(?<styles>[0-9a-f-]{36})'; font-src (?:${source}); img-src (?:${source}) data:; ` +
          `script-src 'nonce-\\k<styles>'; base-uri 'none'; form-action 'none'$`,
      ),
    );
    await window.reload();
    assert.notEqual(await read(), policy);
  });

  it('G14.requests: renders model text without a single request', async () => {
    const before = asked.length;
    for (const text of hostileMarkdown(evil.origin)) {
      endpoint.next(streamText(`${text}\n\nend of it`));
      await window.startNew();
      await window.send('go');
      await window.idle();
      await window.log.getByText('end of it').first().waitFor();
      assert.doesNotMatch((await lookOnce(window.log.textContent())) ?? '', UNSAFE);
      const elements = 'img, svg, iframe, object, embed, video, audio, form, link, style, script, base, meta';
      assert.equal(await lookOnce(window.log.locator(elements).count()), 0);
      const attributes = '[href], [src], [style], [onerror], [onclick], [onfocus], [ontoggle]';
      assert.equal(await lookOnce(window.log.locator(attributes).count()), 0);
    }
    const foreign = asked
      .slice(before)
      .filter(
        (url) =>
          url.includes(new URL(evil.origin).host) ||
          !/^(?:https?:\/\/(?:127\.0\.0\.1|[\w-]+\.vscode-cdn\.net)|data:|blob:|vscode-)/.test(url),
      );
    assert.deepEqual(foreign, []);
  });

  it('G15.links: opens only what the user has confirmed, whatever is clicked or posted', async () => {
    const question = 'Open this page in the browser?';
    endpoint.next(streamText(`[https://example.com](${evil.origin}/path)`));
    await window.startNew();
    await window.send('go');
    await window.idle();
    await window.log.getByRole('link', { name: 'https://example.com' }).click();
    await window.answer(question, 'Cancel');
    await post(
      [
        'command:workbench.action.closeWindow',
        'javascript:alert(1)',
        'file:///etc/passwd',
        `${evil.origin}/x`,
      ].map((url) => ({ type: 'open-link', url })),
    );
    await window.answer(question, 'Cancel');
    await window.startNew();
    await window.send('hello');
    await window.idle();
    assert.equal(window.workbench.page.context().pages().length, 1);
  });

  it('G18.edited: runs a call changed by the page only after VS Code has asked', async () => {
    const asked = { id: 'w1', name: 'run_shell_command', arguments: { command: 'echo asked > asked.txt' } };
    endpoint.next(streamParts(native, [{ type: 'call', call: asked }]));
    await window.startNew();
    await window.send('go');
    const card = window.call('run_shell_command');
    await card.getByRole('button', { name: 'Run', exact: true }).waitFor();
    const callId = 'w1';
    const values = JSON.stringify({ command: 'echo evil > evil.txt' });
    const run = { type: 'decide', callId, answer: { type: 'run' } };
    await post([{ type: 'decide', callId, answer: { type: 'edit', arguments: values } }, run]);
    await card.getByText('Changed', { exact: true }).waitFor();
    await post([run, run]);
    await window.answer('echo evil > evil.txt', 'Cancel');
    await post([run]);
    await window.answer('Run the call with your changes?', 'Cancel');
    // A cancelled call asks once more; until then answers have no effect.
    await eventually(async () => {
      await post([{ type: 'decide', callId, answer: { type: 'reject', reason: '' } }]);
      return window.button('Send').isVisible();
    });
    assert.deepEqual(
      readdirSync(window.folder).filter((name) => name.endsWith('.txt')),
      ['notes.txt'],
    );
  });

  it('G18.fuzz: rejects messages of an unknown form, logs no contents, and continues', async () => {
    const mark = 'hostile-mark-8823';
    const value = fc.jsonValue({ maxDepth: 3 });
    const shaped = fc.record(
      {
        type: fc.constantFrom('send', 'decide', 'pick', 'stop', 'open-link', 'run', mark),
        text: value,
        callId: value,
        answer: value,
        [mark]: value,
      },
      { requiredKeys: ['type'] },
    );
    const messages = fc
      .sample(fc.oneof(value, shaped), { numRuns: 400, seed: 4711 })
      .filter((message) => !ChatToHost.safeParse(message).success);
    assert.ok(messages.length > 200);
    await window.startNew();
    await post(messages);
    await post([
      { type: 'decide', callId: 'never', answer: { type: 'run' } },
      { type: 'show-diff', callId: 'never' },
    ]);
    await window.send('hello');
    await window.idle();
    assert.equal(endpoint.requests.length, 1);
    await eventually(async () =>
      assert.equal(await window.log.getByRole('heading', { name: 'You' }).count(), 1),
    );
    const log = await until(async () => logOf(window.workbench.server.data), /unknown form/);
    assert.equal(log.split('unknown form').length - 1, messages.length);
    assert.ok(!log.includes(mark));
  });

  function logOf(data: string): string {
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' });
    const file = files.find((each) => each.endsWith(`${path.sep}Parley.log`));
    return file === undefined ? '' : readFileSync(path.join(data, file), 'utf8');
  }
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { native } from '../../src/protocols/native/native';
import { canaryKey, canaryIn, filesWithCanary } from '../support/workspace/canary-key';
import { answerWith, FakeEndpoint, streamParts, type EndpointReply } from '../support/servers/fake-endpoint';
import { hasProcessList, processTree } from '../support/processes/process-list';
import { lookOnce } from '../support/eventually';
import { ParleyWindow } from './parley-window';

describe('secrets', () => {
  let endpoint: FakeEndpoint;
  /** On the same machine with another origin: it must get nothing. */
  let other: FakeEndpoint;
  let temporary: string;
  let window: ParleyWindow;
  /** URLs and bodies of all requests; only a header may hold the key. */
  const sent: string[] = [];

  before(async () => {
    endpoint = await FakeEndpoint.start();
    other = await FakeEndpoint.start();
    temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-secrets-')));
    const profile = { provider: 'openai', model: 'm' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'x' },
      settings: {
        'parley.model': 'local',
        'parley.models': [
          { id: 'local', ...profile, baseUrl: endpoint.baseUrl },
          { id: 'moved', ...profile, baseUrl: other.baseUrl },
        ],
      },
      env: { TMPDIR: temporary, PARLEY_API_KEY: canaryKey, SOME_TOKEN: canaryKey },
    });
    await window.page.evaluate(() => {
      const told: string[] = [];
      Object.assign(globalThis, { told });
      addEventListener('message', (event) => told.push(JSON.stringify(event.data)));
    });
    await storeKey();
  });
  beforeEach(() => {
    endpoint.reset();
    other.reset();
  });
  afterEach(() => {
    for (const { url, body } of [...endpoint.requests, ...other.requests])
      sent.push(JSON.stringify({ url, body }));
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
    await other.stop();
    rmSync(temporary, { recursive: true, force: true });
  });

  async function storeKey(): Promise<void> {
    await window.workbench.runCommand('Parley: Set API Key…');
    const box = window.workbench.page.locator('.quick-input-widget input[type=password]');
    await box.fill(canaryKey);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  async function ask(text: string): Promise<void> {
    await window.startNew();
    await window.send(text);
    await window.idle();
  }

  it('G19.images: does not keep the contents of a changed file with the key', async () => {
    const file = path.join(window.folder, '.env');
    writeFileSync(file, `KEY=${canaryKey}\n`);
    const write = { path: '.env', content: 'none\n', overwrite: true };
    endpoint.next(
      streamParts(native, [{ type: 'call', call: { id: 'w', name: 'write_file', arguments: write } }]),
    );
    await window.pick('Model', 'local');
    await window.pick('Protocol', 'native');
    await window.startNew();
    await window.send('take the key out');
    await window.call('write_file').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    assert.equal(readFileSync(file, 'utf8'), 'none\n');
    await window.button('Restore files to before this message').click();
    await window.workbench.page.getByText('The earlier content was not saved').first().waitFor();
  });

  it('G18.results: the page gets no key from a file', async () => {
    const file = path.join(window.folder, 'config.json');
    writeFileSync(file, `{ "key": "${canaryKey}" }\n`);
    endpoint.next(
      streamParts(native, [
        { type: 'call', call: { id: 'r', name: 'read_file', arguments: { path: 'config.json' } } },
      ]),
    );
    await window.pick('Model', 'local');
    await window.pick('Protocol', 'native');
    await ask('read it');
    assert.match(JSON.stringify(endpoint.requests.at(-1)?.body), /\\"key\\": \\"/);
    await window.call('read_file').locator('summary').click();
    await window.log.getByText('"key": "[key]"').waitFor();
    rmSync(file);
    // The model gets the contents of the file.
    endpoint.reset();
  });

  const echoes: readonly { name: string; reply: EndpointReply }[] = [
    {
      name: 'in an error',
      reply: answerWith(400, 'application/json', JSON.stringify({ error: { message: canaryKey } })),
    },
    { name: 'in a refusal', reply: answerWith(403, 'text/plain', `Bearer ${canaryKey}`) },
    {
      name: 'in Base64',
      reply: answerWith(400, 'text/plain', Buffer.from(`k:${canaryKey}`).toString('base64')),
    },
    { name: 'URL-encoded', reply: answerWith(404, 'text/plain', encodeURIComponent(canaryKey)) },
    {
      name: 'in a stream that is not JSON',
      reply: answerWith(200, 'text/event-stream', `data: ${canaryKey}\n\n`),
    },
    { name: 'in an answer that is not JSON', reply: answerWith(200, 'application/json', canaryKey) },
    {
      name: 'in a header',
      reply: (response) => {
        response.writeHead(403, { 'www-authenticate': canaryKey, 'x-request-id': canaryKey });
        response.end();
      },
    },
    {
      name: 'and breaks off',
      reply: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify({ error: { message: canaryKey } })}\n\n`, () =>
          response.destroy(),
        );
      },
    },
  ];
  for (const { name, reply } of echoes) {
    it(`G19.echo: shows no key that an endpoint sends back ${name}`, async () => {
      endpoint.next(reply);
      await window.pick('Model', 'local');
      await ask('hello');
      assert.equal(endpoint.requests[0]?.headers.authorization, `Bearer ${canaryKey}`);
      await window.log.getByRole('alert').first().waitFor();
      assert.equal(canaryIn((await lookOnce(window.log.textContent())) ?? ''), undefined);
    });
  }

  it('G20.redirect: follows no redirect to another origin', async () => {
    endpoint.next((response) => {
      response.writeHead(307, { location: `${other.baseUrl}/chat/completions` });
      response.end();
    });
    await window.pick('Model', 'local');
    await ask('hello');
    assert.equal(endpoint.requests.length, 1);
    assert.deepEqual(other.requests, []);
  });

  it('G20.origin: sends no key to another address, even if only the address of the profile changed', async () => {
    await window.pick('Model', 'moved');
    await ask('hello');
    assert.equal(other.requests.length, 1);
    assert.equal(canaryIn(JSON.stringify(other.requests)), undefined);
  });

  it('G19.commands: a command gets neither the stored key nor those of the environment', async () => {
    const command = 'env; cat /proc/$PPID/cmdline; echo done-$((40+2))';
    endpoint.next(
      streamParts(native, [
        { type: 'call', call: { id: 'c', name: 'run_shell_command', arguments: { command } } },
      ]),
    );
    await window.pick('Model', 'local');
    await window.pick('Protocol', 'native');
    await window.startNew();
    await window.send('run it');
    await window.call('run_shell_command').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    const told = JSON.stringify(endpoint.requests.at(-1)?.body);
    assert.match(told, /done-42/);
    assert.equal(canaryIn(told), undefined);
  });

  it('G19.everywhere: the key is only in the secret storage', async () => {
    const log = await window.output('Parley: Show Log', /run ends: /);
    assert.equal(canaryIn(log), undefined);
    const told = await window.page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
    assert.ok(told.some((text) => text.includes('run-end')));
    assert.deepEqual(
      told.filter((text) => canaryIn(text) !== undefined),
      [],
    );
    assert.equal(canaryIn(await lookOnce(window.page.content())), undefined);
    assert.equal(canaryIn(sent.join('\n')), undefined);
    assert.equal(canaryIn(window.workbench.server.output()), undefined);
    for (const folder of [window.workbench.server.data, window.folder, temporary]) {
      assert.deepEqual(filesWithCanary(folder), []);
    }
    if (!hasProcessList) return;
    const commands = processTree(window.workbench.server.pid).map(({ command }) => command);
    assert.deepEqual(
      commands.filter((command) => canaryIn(command) !== undefined),
      [],
    );
  });
});

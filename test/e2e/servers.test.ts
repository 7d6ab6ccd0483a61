import assert from 'node:assert/strict';
import { nonRepeatingText } from '../support/non-repeating-text';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Locator } from 'playwright-core';
import type { RenderedPart } from '../../src/core/words/protocol';
import { native } from '../../src/protocols/native/native';
import { vcp } from '../../src/protocols/vcp/vcp';
import {
  answerWith,
  endEarly,
  FakeEndpoint,
  streamParts,
  streamText,
} from '../support/servers/fake-endpoint';
import { thinkingVendors, ThinkingServer } from '../support/servers/thinking-servers';
import { llamaCpp, namesOnly } from '../support/servers/recorded-answers';
import { eventually, lookOnce } from '../support/eventually';
import { letTimePass } from '../support/turns';
import { ParleyWindow, until } from './parley-window';

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
const SECRET = 'sk-the-second-key-of-this-test';

const write: RenderedPart = {
  type: 'call',
  call: { id: 'w', name: 'write_file', arguments: { path: 'whole.txt', content: 'a plum' } },
};

describe('servers of every kind', () => {
  let endpoint: FakeEndpoint;
  /** On a new port, because a window asks a server about itself only once. */
  let another: FakeEndpoint;
  let window: ParleyWindow;
  const [deepSeek] = thinkingVendors;

  before(async () => {
    [endpoint, another] = [await FakeEndpoint.start(), await FakeEndpoint.start()];
    const profile = { provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', protocol: 'native' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': LINES },
      viewport: { width: 1280, height: 1400 },
      settings: {
        'parley.toolCalling.requireConfirmation': false,
        'parley.model': 'plain',
        'parley.models': [
          { id: 'plain', ...profile },
          { id: 'thinking', ...profile, model: deepSeek?.model },
          { id: 'brisk', ...profile, timeouts: { firstEvent: 2 } },
          { id: 'llama', ...profile, model: 'smollm2-135m' },
          { id: 'company', ...profile, name: 'Company', model: 'house' },
        ],
      },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Model', 'plain');
    await window.pick('Protocol', 'native');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
    await another.stop();
  });

  const text = (): Promise<string> => window.log.innerText();
  const status = (): Promise<string> => window.page.locator('.run-status').innerText({ timeout: 1_000 });
  const quickInput = (): Locator => window.workbench.page.locator('.quick-input-widget');
  const meter = (): Locator => window.page.getByRole('meter', { name: 'Context window' });

  async function ask(message: string): Promise<void> {
    await window.send(message);
    await window.idle();
  }

  /** Waits for a status line with this text, and until its seconds change. */
  async function moves(words: string): Promise<void> {
    const shape = new RegExp(`${words} · (?:\\d+ % · )?(\\d+) s`);
    const seconds = async (): Promise<number> => Number(shape.exec(await until(status, shape))?.[1]);
    const first = await seconds();
    await until(async () => String((await seconds()) > first), /true/);
  }

  it('thinking: sends all reasoning back, after a reload and with another protocol', async () => {
    assert.ok(deepSeek);
    const server = new ThinkingServer(deepSeek, vcp, (round) => ({
      name: 'read_file',
      arguments: { path: 'notes.txt', start_line: round, end_line: round },
    }));
    endpoint.always(server.reply);
    await window.pick('Model', 'thinking');
    await ask('Read on.');
    await window.log.getByText('Answer 5.').waitFor();
    await window.reload();
    await window.log.getByText('Answer 5.').waitFor();
    await ask('And on.');
    await window.log.getByText('Answer 10.').waitFor();
    await window.pick('Protocol', 'vcp');
    await ask('And in text.');
    await window.log.getByText('Answer 15.').waitFor();
    await window.pick('Protocol', 'native');
    await ask('And back.');
    await window.log.getByText('Answer 20.').waitFor();
    assert.deepEqual(server.refused, []);
    assert.equal(endpoint.requests.length, 20);
    assert.doesNotMatch(await lookOnce(text()), /refused|Try again/);
  });

  it('slow: shows what it waits for with a running time, and sends nothing twice', async () => {
    const { held, opened } = gates(4);
    const [headers, comments, prompt, first] = opened;
    endpoint.next(
      async (response, tokens) => {
        await headers;
        await streamText('After long silence.')(response, tokens);
      },
      async (response) => {
        begin(response);
        const alive = setInterval(() => response.write(': keep-alive\n\n'), 100);
        await comments;
        clearInterval(alive);
        say(response, 'After keep-alive comments.');
      },
      async (response) => {
        begin(response);
        for (const processed of [410, 820]) {
          const progress = { total: 1_000, cache: 0, processed, time_ms: processed };
          send(response, { choices: [], prompt_progress: progress });
          if (processed === 410) await prompt;
        }
        await first;
        say(response, 'After a long prompt.');
      },
    );
    await window.send('silent before the headers');
    await moves('Waiting for the model');
    held[0]?.();
    await window.log.getByText('After long silence.').waitFor();
    await window.idle();

    await window.send('comments');
    await moves('The server is working');
    held[1]?.();
    await window.log.getByText('After keep-alive comments.').waitFor();
    await window.idle();

    await window.send('a long prompt');
    await moves('Reading the prompt');
    await eventually(async () => assert.match(await status(), /Reading the prompt · 41 % · \d+ s/));
    held[2]?.();
    await until(status, /Reading the prompt · 82 % · \d+ s/);
    held[3]?.();
    await window.log.getByText('After a long prompt.').waitFor();
    await window.idle();
    assert.equal(endpoint.requests.length, 3);
    // One for each reply.
    await eventually(async () => assert.equal((await text()).match(/first token after \d/g)?.length, 3));
  });

  it('slow: shows the speed of writing, and that text has stopped', async () => {
    const {
      held: [goOn],
      opened: [more],
    } = gates(1);
    endpoint.next(async (response) => {
      begin(response);
      for (let at = 0; at < 25; at++) {
        piece(response, 'another word ');
        await letTimePass(60);
      }
      await more;
      say(response, 'The end.');
    });
    await window.send('tell me');
    await until(status, /Writing · about \d+ tokens · \d+ per second/);
    await until(status, /Writing · about \d+ tokens · no output for 1\d s/);
    goOn?.();
    await window.log.getByText('The end.').waitFor();
    await window.idle();
    assert.equal(endpoint.requests.length, 1);
  });

  it('slow: waits for a server that is loading its model', async () => {
    const loading = answerWith(503, 'application/json', '{"error":{"message":"Loading model","code":503}}');
    endpoint.next(loading, loading, streamText('Loaded.'));
    await window.send('hello');
    await moves('The server is loading the model');
    await window.log.getByText('Loaded.').waitFor();
    await window.idle();
    assert.equal(endpoint.requests.length, 3);
  });

  it('silent: closes the request at once on Stop, and the next one says that the server may be busy', async () => {
    let closed: Promise<unknown> | undefined;
    const {
      held: [free],
      opened: [isFree],
    } = gates(1);
    endpoint.next(
      (response) => {
        closed = once(response, 'close');
      },
      async (response, tokens) => {
        await isFree;
        await streamText('Free again.')(response, tokens);
      },
    );
    await window.send('hello');
    await moves('Waiting for the model');
    assert.ok(closed);
    await window.button('Stop').click();
    await closed;
    await window.idle();
    await until(text, /Stopped\./);
    await window.send('again');
    await moves('The server is still finishing the last request');
    free?.();
    await window.log.getByText('Free again.').waitFor();
    await window.idle();
    assert.equal(endpoint.requests.length, 2);
  });

  it('silent: reports the timeout, sends nothing automatically, and tries again on a click', async () => {
    endpoint.next(() => undefined, streamText('Here I am.'));
    await window.pick('Model', 'brisk');
    await window.send('hello');
    await until(() => window.log.getByRole('alert').innerText(), /sent nothing for 2 s.*"timeouts"/);
    await window.idle();
    assert.equal(endpoint.requests.length, 1);
    await window.button('Try again').click();
    await window.log.getByText('Here I am.').waitFor();
    await window.idle();
    assert.deepEqual(endpoint.requests[1]?.body, endpoint.requests[0]?.body);
  });

  it('cutting off: runs no call of half a reply, and all calls after Try again', async () => {
    endpoint.next(endEarly(native, [write]), streamParts(native, [write]), streamText('Written.'));
    await ask('write a file');
    await until(() => window.log.getByRole('alert').innerText(), /was cut off/);
    await assert.rejects(window.read('whole.txt'));
    assert.equal(endpoint.requests.length, 1);
    await window.button('Try again').click();
    await window.log.getByText('Written.').waitFor();
    await window.idle();
    assert.equal(await window.read('whole.txt'), 'a plum');
    assert.equal(endpoint.requests.length, 3);
  });

  // Before the tests that open the list of models: it asks all servers, which use up the queued answers.
  it('a template without tools: is explained, and one click switches to a text protocol', async () => {
    endpoint.metadata = llamaCpp(16_384, false);
    const {
      held: [answer],
      opened: [asked],
    } = gates(1);
    // Like its template: only the messages reach the model.
    endpoint.always(({ body }) => async (response) => {
      await asked;
      const isNative = body.tools !== undefined;
      const counted = Math.ceil(JSON.stringify(body.messages).length / (isNative ? 5 : 4));
      return streamText(isNative ? 'I know no tools.' : 'Now I do.')(response, counted);
    });
    await window.pick('Model', 'llama');
    await window.send('read a file');
    // The server itself has reported it: a small model may never end its reply.
    await until(text, /its chat template drops them/);
    answer?.();
    await window.idle();
    assert.doesNotMatch(await lookOnce(text()), /cut off/);
    await window.page.getByRole('button', { name: /^Use / }).click();
    await ask('read a file now');
    await window.log.getByText('Now I do.').waitFor();
    const [first, second] = endpoint.requests;
    assert.ok(first?.body.tools);
    assert.equal(second?.body.tools, undefined);
    assert.match(JSON.stringify(second?.body.messages), /read_file/);
  });

  it('reporting its window: is added by its port, shows the window, and the meter uses it', async () => {
    another.reset();
    another.metadata = llamaCpp(12_288, true);
    await addByPort(another, /^smollm2-135m/, /12,288 tokens/);
    await ask('hello');
    await eventually(async () => assert.equal(await meter().getAttribute('aria-valuemax'), '12288'));
    await window.workbench.runCommand('Parley: Select Model…');
    const row = quickInput()
      .getByRole('option')
      .filter({ hasText: String(portOf(another)) });
    await until(() => row.first().innerText(), /12,288 tokens · tools/);
    await window.workbench.page.keyboard.press('Escape');
  });

  it('hiding its window: shows none, and uses the one from a refusal', async () => {
    endpoint.metadata = namesOnly;
    const told = { n_prompt_tokens: 9_000, n_ctx: 8_192, type: 'exceed_context_size_error' };
    const message = 'request (9000 tokens) exceeds the available context size (8192 tokens)';
    endpoint.next(
      streamText(`A story ${nonRepeatingText(15_000)}`),
      answerWith(400, 'application/json', JSON.stringify({ error: { ...told, message } })),
      streamText('In short: a plum.'),
      streamText('Fits again.'),
    );
    await ask('one');
    await eventually(async () => assert.equal(await meter().count(), 0));
    await until(() => window.page.locator('.context-meter').innerText(), /^[\d.,]+k? tokens/);
    await ask('two');
    await until(text, /holds 8,192 tokens, as its server showed[^]*sent as a summary[^]*Fits again\./);
    await eventually(async () => assert.equal(await meter().getAttribute('aria-valuemax'), '8192'));
    assert.equal(endpoint.requests.length, 4);
  });

  it('a 401: asks for the key in the password box and continues', async () => {
    endpoint.always(({ headers }) =>
      headers.authorization === `Bearer ${SECRET}`
        ? streamText('Welcome.')
        : answerWith(401, 'application/json', '{"error":{"message":"token expired"}}'),
    );
    await window.pick('Model', 'company');
    await window.send('hello');
    const box = quickInput().locator('input[type=password]');
    await box.waitFor();
    await eventually(async () =>
      assert.match(await quickInput().innerText(), /Company[^]*Sent only to http:\/\/127\.0\.0\.1/),
    );
    await box.fill(SECRET);
    await box.press('Enter');
    await window.log.getByText('Welcome.').waitFor();
    await window.idle();
    assert.equal(endpoint.requests.length, 2);
    assert.ok(!(await lookOnce(window.page.content())).includes(SECRET));
  });

  /** Like a user, without any JSON. */
  async function addByPort(server: FakeEndpoint, model: RegExp, shows: RegExp): Promise<void> {
    await window.workbench.runCommand('Parley: Add Model…');
    const box = quickInput().locator('input').first();
    await until(async () => String(await box.getAttribute('placeholder')), /8081/);
    await box.fill(String(portOf(server)));
    await box.press('Enter');
    const row = quickInput().getByRole('option', { name: model });
    await until(() => row.innerText(), shows);
    // By keyboard, as a hint of the box may cover the first row where the mouse rests.
    await box.press('Enter');
    await quickInput()
      .getByRole('option', { name: /^Auto \(/ })
      .waitFor();
    await box.press('Enter');
    await until(() => window.picked('Model'), /smollm2/);
  }
});

function portOf({ baseUrl }: FakeEndpoint): number {
  return Number(new URL(baseUrl).port);
}

/** Makes promises, and the functions that resolve them. */
function gates(count: number): { readonly held: (() => void)[]; readonly opened: Promise<void>[] } {
  const held: (() => void)[] = [];
  const opened = Array.from({ length: count }, () => new Promise<void>((resolve) => held.push(resolve)));
  return { held, opened };
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

function send(response: ServerResponse, chunk: object): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function piece(response: ServerResponse, content: string): void {
  send(response, { choices: [{ index: 0, delta: { content } }] });
}

/** Sends the rest of the reply, and its end. */
function say(response: ServerResponse, content: string): void {
  piece(response, content);
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send(response, { choices: [], usage: { prompt_tokens: 900, completion_tokens: 40 } });
  response.end('data: [DONE]\n\n');
}

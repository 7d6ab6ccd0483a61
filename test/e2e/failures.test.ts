import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RenderedPart } from '../../src/core/words/protocol';
import { native } from '../../src/protocols/native/native';
import { vcp } from '../../src/protocols/vcp/vcp';
import {
  answerWith,
  breakOff,
  endEarly,
  FakeEndpoint,
  type EndpointReply,
} from '../support/servers/fake-endpoint';
import { ParleyWindow, until } from './parley-window';

const write: RenderedPart = {
  type: 'call',
  call: { id: 'w', name: 'write_file', arguments: { path: 'half.txt', content: 'x'.repeat(400) } },
};

describe('failures', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const gone = await FakeEndpoint.start();
    const nobody = gone.baseUrl;
    await gone.stop();
    const profile = { provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'x' },
      settings: {
        'parley.toolCalling.requireConfirmation': false,
        'parley.models': [
          { id: 'local', ...profile },
          { id: 'gone', ...profile, baseUrl: nobody },
          { id: 'half', provider: 'openai', baseUrl: endpoint.baseUrl },
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

  async function endsWith(says: RegExp, timeout?: number, isAsked = false): Promise<void> {
    await window.send('write a file');
    if (isAsked) {
      await window.workbench.page.locator('.quick-input-widget input[type=password]').waitFor();
      await window.workbench.page.keyboard.press('Escape');
    }
    await until(() => window.log.getByRole('alert').innerText(), says, timeout);
    await window.idle();
    await assert.rejects(window.read('half.txt'));
  }

  const replies: {
    name: string;
    protocol?: 'native' | 'vcp';
    reply: EndpointReply;
    says: RegExp;
    /** The user is asked for another key, and cancels. */
    isAsked?: boolean;
  }[] = [
    {
      name: 'a 401',
      isAsked: true,
      reply: answerWith(401, 'application/json', '{"error":{"message":"no"}}'),
      says: /refused the key \(401\)/,
    },
    {
      name: 'a web page with status 200',
      reply: answerWith(200, 'text/html', '<html></html>'),
      says: /answered with a web page/,
    },
    {
      name: 'a dropped connection (native)',
      protocol: 'native',
      reply: breakOff(native, [write]),
      says: /broke in the middle/,
    },
    {
      name: 'a dropped connection (vcp)',
      protocol: 'vcp',
      reply: breakOff(vcp, [write]),
      says: /broke in the middle/,
    },
    {
      name: 'a stream that just ends (native)',
      protocol: 'native',
      reply: endEarly(native, [write]),
      says: /was cut off/,
    },
    {
      name: 'a stream that just ends (vcp)',
      protocol: 'vcp',
      reply: endEarly(vcp, [write]),
      says: /was cut off/,
    },
  ];
  for (const { name, protocol = 'native', reply, says, isAsked } of replies) {
    it(`ends the run with one sentence on ${name}, and runs nothing`, async () => {
      endpoint.next(reply);
      await window.pick('Model', 'local');
      await window.pick('Protocol', protocol);
      await endsWith(says, undefined, isAsked);
    });
  }

  it('ends the run with one sentence when no server answers', async () => {
    await window.pick('Model', 'gone');
    // The five tries take up to 15 s.
    await endsWith(/No answer from http:\/\/127\.0\.0\.1/, 60_000);
  });

  it('ends the run with one sentence when a profile lacks its model', async () => {
    await window.pick('Model', 'half');
    await endsWith(/profile "half".*needs both/);
  });

  it('ends the run with one sentence when a setting is malformed', async () => {
    await mkdir(path.join(window.folder, '.vscode'), { recursive: true });
    await writeFile(
      path.join(window.folder, '.vscode/settings.json'),
      '{"parley.toolCalling.toolToggles":{"shell":"maybe"}}',
    );
    await window.pick('Model', 'local');
    await until(async () => {
      await window.startNew();
      await window.send('hello');
      await window.idle();
      return window.log.getByRole('alert').innerText({ timeout: 1_000 });
    }, /setting "parley\.toolCalling\.toolToggles" is invalid at shell: use true, false or "onDemand"\. Fix/);
  });
});

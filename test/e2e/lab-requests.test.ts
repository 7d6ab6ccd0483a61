import { equal, match } from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { FakeEndpoint, streamText } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { ParleyWindow, until } from './parley-window';

const WRITE = `I will write it.
<<<[TOOL_REQUEST]>>>
tool_name:「始」write_file「末」,
path:「始」made.txt「末」,
content:「始」hello「末」
<<<[END_TOOL_REQUEST]>>>`;

/** Its end marker is malformed. */
const TYPO = WRITE.replace('END_TOOL_REQUEST', 'END_TOOL_REQ');

describe('the Requests tab of the lab', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  let lab: Frame;
  const button = (name: string): Locator => lab.getByRole('button', { name, exact: true });
  const inspect = async (): Promise<void> => {
    const all = window.log.getByRole('button', { name: 'Inspect', exact: true });
    await all.last().focus();
    await all.last().press('Enter');
    lab = await window.workbench.webview('#tab-requests');
  };

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'local-model' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum' },
      settings: {
        'parley.model': 'local',
        'parley.models': [profile],
        'parley.toolCalling.protocol': 'vcp',
      },
      viewport: { width: 1600, height: 1000 },
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

  it('shows why a call was malformed, lets the user edit the reply, and continues with it', async () => {
    endpoint.next(streamText(TYPO), streamText('I could not.'));
    await window.send('write hello');
    await window.idle();
    await window.log.getByRole('button', { name: 'Inspect', exact: true }).first().click();
    lab = await window.workbench.webview('#tab-requests');
    await lab.getByRole('heading', { name: 'Reply 1' }).waitFor();
    await eventually(async () =>
      match(
        (await lab.getByRole('list', { name: 'Parsed calls' }).textContent()) ?? '',
        /write_file.*Malformed/s,
      ),
    );
    await button('Edit reply').click();
    await lab.getByRole('textbox', { name: 'Reply' }).fill(WRITE);
    await lab.getByText('1 call', { exact: true }).waitFor();
    endpoint.next(streamText('It is written.'));
    await button('Continue with this reply').click();
    // It asks like every write, and VS Code asks as well because its text came from a page.
    await window.call('write_file').getByRole('button', { name: 'Run', exact: true }).click();
    await window.answer('Run the call with your changes?', 'Show Changes');
    const question = window.workbench.page.locator('.quick-input-widget');
    await question.getByRole('option', { name: 'Run', exact: true }).click();
    await window.idle();
    equal(await window.read('made.txt'), 'hello');
    await window.log.getByText('You edited a reply here.').waitFor();
    const sent = JSON.stringify(endpoint.requests.at(-1)?.body.messages);
    match(sent, /END_TOOL_REQUEST/);
    match(sent, /The user edited your reply above/);
    equal(endpoint.requests.length, 3);
    // The diff covers the lab.
    await window.workbench.page.getByRole('tab', { name: /^Parley Lab/ }).click();
    lab = await window.workbench.webview('#tab-requests');
    await lab.getByRole('heading', { name: 'Reply 3' }).waitFor();
    await lab.getByText('No request was sent for this reply because you edited it.').waitFor();
    await lab.getByText('Allowed by you').waitFor();
    await window.startNew();
    await lab.getByText('Another session is open.').waitFor();
  });

  it('asks about files that were changed after the reply before it continues', async () => {
    endpoint.next(streamText(WRITE.replaceAll('made', 'other')), streamText('Done.'));
    await window.send('write hello');
    await window.call('write_file').getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    await window.log.getByRole('button', { name: 'Inspect', exact: true }).first().click();
    lab = await window.workbench.webview('#tab-requests');
    await lab.getByRole('heading', { name: 'Reply 1' }).waitFor();
    await button('Edit reply').click();
    await lab.getByRole('textbox', { name: 'Reply' }).fill('Nothing to do.');
    await lab.getByText('0 calls', { exact: true }).waitFor();
    await button('Continue with this reply').click();
    await window.answer('Files were changed after this reply.', 'Restore');
    await window.log.getByText('Nothing to do.').waitFor();
    await window.idle();
    match(await window.read('other.txt').catch(String), /ENOENT/);
  });

  it('shows the request and results exactly as sent, and renders them again after a reload', async () => {
    endpoint.next(
      streamText(
        WRITE.replace('write_file', 'read_file')
          .replace('made', 'notes')
          .replace(/content.*\n/, ''),
      ),
      streamText('A plum.'),
    );
    await window.send('read the notes');
    await window.idle();
    await window.log.getByRole('button', { name: 'Inspect', exact: true }).first().click();
    lab = await window.workbench.webview('#tab-requests');
    await lab.getByText('Other fields', { exact: true }).click();
    const fields = lab.getByRole('group', { name: 'Other fields' });
    await eventually(async () => match((await fields.textContent()) ?? '', /"model": "local-model"/));
    const results = lab.getByRole('region', { name: 'Results as sent back' });
    await results.locator('summary').first().click();
    await results.getByText('a plum', { exact: true }).waitFor();
    await window.reload();
    lab = await window.workbench.webview('#tab-requests');
    await lab.getByText('Requests are kept in memory only').waitFor();
    await inspect();
    const said = 'Rebuilt from the session with the current tools and settings.';
    await lab.getByText(said).waitFor();
  });

  it('opens a reply in Parse', async () => {
    endpoint.next(streamText(TYPO));
    await window.send('write hello');
    await window.idle();
    await window.workbench.runCommand('Parley: Inspect Last Reply');
    lab = await window.workbench.webview('#tab-requests');
    await button('Open in Lab').click();
    await until(() => lab.getByRole('textbox', { name: 'Reply' }).inputValue(), /END_TOOL_REQ|All done/);
    await eventually(async () =>
      equal(await lab.getByRole('tab', { name: 'Parse' }).getAttribute('aria-selected'), 'true'),
    );
  });

  it('shows no key, and does not let the user edit a reply with a key', async () => {
    endpoint.next(streamText('The key is sk-abcdefghijklmnop1234567890 there.'));
    await window.send('which key?');
    await window.idle();
    await inspect();
    await lab.getByText('This reply contains what looks like a key').waitFor();
    await eventually(async () =>
      match(
        (await lab.getByRole('group', { name: 'Raw reply' }).textContent()) ?? '',
        /The key is \[key\] there\./,
      ),
    );
    await eventually(async () => equal(await button('Edit reply').isDisabled(), true));
  });
});

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { FakeEndpoint, streamForever, streamParts } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { png } from '../support/images';
import { native } from '../../src/protocols/native/native';
import { ParleyWindow, until } from './parley-window';

const SKILL = '---\nname: haiku\ndescription: Writes haiku\n---\nCount the syllables.\n';

describe('sending messages in the workbench', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      files: { 'a.txt': 'one\n', '.agents/skills/haiku/SKILL.md': SKILL },
      settings: {
        'parley.models': [profile, { ...profile, id: 'seeing', name: 'Seeing', vision: true }],
        'parley.toolCalling.requireConfirmation': false,
        'git.enabled': false,
      },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Model', 'local');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const box = (): Locator => window.page.getByRole('textbox', { name: 'Message', exact: true });
  const { press, type } = {
    press: (key: string): Promise<void> => box().press(key),
    type: (text: string): Promise<void> => box().fill(text),
  };
  /** Returns the user messages of the newest request. */
  const said = (): string =>
    (endpoint.requests.at(-1)?.body.messages ?? [])
      .filter(({ role }) => role === 'user')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      // What is told of the window stands in front of the first one.
      .map((content) => content.replace(/^Open folders: .*\n\n/, ''))
      .join(' | ');
  const picker = (): Locator => window.workbench.page.locator('.quick-input-widget:visible');

  async function ask(text: string): Promise<void> {
    await window.send(text);
    await window.idle();
  }

  it('edits an earlier message: the model gets the new one instead, the session keeps both', async () => {
    await ask('first');
    await ask('second');
    await window.button('Edit message').first().focus();
    await window.workbench.page.keyboard.press('Enter');
    await eventually(async () => assert.equal(await box().inputValue(), 'first'));
    await type('first, but better');
    await press('Enter');
    await window.workbench.page
      .getByText('One later message and its answer are removed from the conversation.')
      .waitFor();
    await window.workbench.page.getByRole('button', { name: 'Go Back', exact: true }).click();
    await window.log.getByText('You went back to this point. 2 messages').waitFor();
    await window.idle();
    assert.equal(said(), 'first, but better');

    await window.reload();
    await window.log.getByText('You went back to this point. 2 messages').waitFor();
    await window.log.getByText('Show removed messages').click();
    await window.log.getByText('second', { exact: true }).waitFor();
  });

  it('retries with another protocol, and restores the files that were changed since', async () => {
    const edit = { path: 'a.txt', old: 'one', new: 'two' };
    endpoint.next(
      streamParts(native, [{ type: 'call', call: { id: 'k1', name: 'edit_file', arguments: edit } }]),
    );
    await ask('change it');
    await until(() => window.read('a.txt'), /two/);
    await window.button('Retry with another model or protocol').focus();
    await window.workbench.page.keyboard.press('Enter');
    await picker().locator('input[type=text]').first().fill('VCP');
    await picker().getByRole('option', { name: /VCP/ }).first().waitFor();
    await window.workbench.page.keyboard.press('Enter');
    await window.workbench.page.getByRole('button', { name: 'Restore' }).click();
    await window.log.getByText('You went back to this point.').waitFor();
    await window.idle();
    assert.equal(await window.read('a.txt'), 'one\n');
    assert.equal(said(), 'change it');
    await eventually(async () => assert.equal(await window.picked('Protocol'), 'vcp'));
    await window.pick('Protocol', 'auto');
  });

  it('queues messages during a run, and lets a message interrupt it', async () => {
    endpoint.next(streamForever('on and on '));
    await window.send('go');
    await window.log.getByText('on and on').waitFor();
    await type('later');
    await press('Enter');
    const queued = window.page.getByRole('list', { name: 'Queued messages' });
    await queued.getByText('later').waitFor();
    await type('now');
    await press('Control+Enter');
    await window.log.getByText('Stopped.').waitFor();
    await window.log.getByText('later', { exact: true }).waitFor();
    await window.idle();
    assert.equal(said(), 'go | now | later');
    await eventually(async () => assert.equal(await queued.count(), 0));
  });

  it('keeps the queue while the page is hidden, and pauses it after Stop', async () => {
    endpoint.next(streamForever('on and on '));
    await window.send('go');
    await type('later');
    await press('Enter');
    await window.page.getByRole('list', { name: 'Queued messages' }).getByText('later').waitFor();
    const icon = window.workbench.page.getByRole('tab', { name: 'Parley' }).first();
    await window.workbench.page
      .getByRole('tab', { name: /^Explorer/ })
      .first()
      .click();
    await icon.click();
    await window.reopenChat();
    await window.page.getByRole('list', { name: 'Queued messages' }).getByText('later').waitFor();
    await window.button('Stop').click();
    await window.button('Continue with queued messages').click();
    await window.log.getByText('later', { exact: true }).waitFor();
    await window.idle();
    assert.equal(said(), 'go | later');
  });

  it('attaches a pasted image if the model sees images, and otherwise says why not', async () => {
    const paste = (): Promise<void> =>
      box().evaluate((area, data) => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
        transfer.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
        const options = { bubbles: true, cancelable: true, clipboardData: transfer };
        area.dispatchEvent(new ClipboardEvent('paste', options));
      }, png(8, 8).toString('base64'));
    await paste();
    await window.page.getByText('cannot read images').waitFor();
    await window.pick('Model', 'seeing');
    await until(() => window.picked('Model'), /seeing/);
    await paste();
    await window.page.getByRole('img', { name: 'Pasted image' }).waitFor();
    // Only Parley still has its bytes.
    await window.reload();
    await window.page.getByRole('img', { name: 'Pasted image' }).waitFor();
    await window.pick('Model', 'seeing');
    await ask('what is this?');
    await until(async () => said(), /"image_url"/);
    await eventually(async () =>
      assert.equal(await window.page.getByRole('img', { name: 'Pasted image' }).count(), 0),
    );
    await window.button('Retry').focus();
    await window.workbench.page.keyboard.press('Enter');
    await window.log.getByText('You went back to this point.').waitFor();
    await window.idle();
    assert.match(said(), /"image_url"/);
  });

  it('attaches a skill named at the beginning of a message, and runs commands', async () => {
    await box().pressSequentially('/ha');
    await window.page.getByRole('option', { name: '/haiku' }).waitFor();
    await press('Tab');
    await box().pressSequentially('about plums');
    await press('Enter');
    await window.idle();
    await until(async () => said(), /about plums/);
    assert.match(said(), /^\/haiku about plums/);
    assert.match(said(), /<attached name="\/haiku">[^]*Arguments: about plums[^]*Count the syllables\./);
    await type('/protocol');
    await press('Enter');
    await picker().getByText('Tool-calling protocol').waitFor();
    await window.workbench.page.keyboard.press('Escape');
    await type('/new');
    await press('Enter');
    await window.log.getByRole('heading', { name: 'You' }).first().waitFor({ state: 'detached' });
  });
});

import assert from 'node:assert/strict';
import { native } from '../../src/protocols/native/native';
import { nonRepeatingText } from '../support/non-repeating-text';
import { answerWith, FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { ParleyWindow, until } from './parley-window';

const LONG = nonRepeatingText(17_500);

describe('the context window in the chat', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', protocol: 'native' };
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum' },
      viewport: { width: 1280, height: 1400 },
      unfolded: ['Tools'],
      settings: {
        'parley.model': 'roomy',
        'parley.models': [
          { id: 'roomy', contextWindow: 10_000, ...profile },
          { id: 'tiny', contextWindow: 1_500, ...profile },
          { id: 'open', ...profile },
        ],
      },
    });
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Model', 'roomy');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const told = (at = -1): string => JSON.stringify(endpoint.requests.at(at)?.body.messages);
  async function ask(text: string): Promise<void> {
    await window.send(text);
    await window.idle();
  }

  it('summarizes older messages, shows it, and sends everything again when that is undone', async () => {
    endpoint.next(
      streamText(`first ${LONG}`),
      streamText(`second ${LONG}`),
      streamText('In short: a plum.'),
      streamText('third'),
    );
    await ask('one');
    await ask('two');
    await ask('three');
    await window.log.getByText(/now sent as a summary: about [\d,]+ tokens instead of [\d,]+/).waitFor();
    assert.match(told(2), /Summarize the earlier conversation/);
    assert.match(told(), /The user asked:\\n- one\\n.*In short: a plum\./);
    assert.ok(!told().includes('first word'));
    await window.log.getByText('Summary', { exact: true }).click();
    await window.log.getByText('In short: a plum.').waitFor();

    await window.button('Send everything again').click();
    await window.log.getByText('The summary of the messages above was undone.').waitFor();
    await ask('four');
    await until(() => window.log.innerText(), /no longer fits into the context window/);
    assert.equal(endpoint.requests.length, 4);
    endpoint.next(streamText('In short again.'), streamText('fourth'));
    await window.button('Summarize and continue').click();
    await window.log.getByText('fourth').waitFor();
    assert.match(told(), /In short again\./);
  });

  it('sends nothing if the tools leave no room, and lets the user leave some out', async () => {
    await window.pick('Model', 'tiny');
    await ask('hi');
    await until(
      () => window.log.innerText(),
      /tools alone take about [\d,]+ tokens \(the tools [\d,]+\).*the model takes 1,500/,
    );
    assert.equal(endpoint.requests.length, 0);
    await window.button('Turn off tools…').click();
    const { page } = window.workbench;
    await page.getByText('Turn Off Tools').waitFor();
    await page.getByRole('checkbox', { name: /^edit_file, about \d+ tokens/ }).click();
    await page.keyboard.press('Enter');
    await page.getByRole('checkbox', { name: 'edit_file is off' }).waitFor();
    assert.match(await window.read('.vscode/settings.json'), /"edit_file": false/);
  });

  it('continues with a summary after an endpoint refused a request as too long', async () => {
    await window.pick('Model', 'open');
    const refusal = '{"error":{"message":"maximum context length is 8192 tokens"}}';
    endpoint.next(
      streamText(`first ${LONG}`),
      answerWith(400, 'application/json', refusal),
      streamText('It was one.'),
      streamText('goes on'),
    );
    await ask('one');
    await ask('two');
    await window.log.getByText('goes on', { exact: true }).waitFor();
    await until(() => window.log.innerText(), /context window holds 8,192 tokens, as its server showed/);
    assert.match(told(), /It was one\..*two/);
    assert.equal(endpoint.requests.length, 4);
  });

  it('says that a server has cut off the beginning', async () => {
    endpoint.promptTokens = 500;
    endpoint.next(streamParts(native, [{ type: 'text', text: 'hm' }]));
    await ask(LONG);
    await until(() => window.log.innerText(), /read 500 of about [\d,]+ tokens: it probably cut off/);
  });

  it('summarizes older messages by a command of the palette', async () => {
    endpoint.next(streamText(LONG), streamText('second'), streamText('It was short.'), streamText('third'));
    await ask('one');
    await ask('two');
    await window.workbench.runCommand('Parley: Summarize Older Messages');
    await window.button('Send everything again').waitFor();
    await ask('three');
    assert.match(told(), /It was short\./);
  });
});

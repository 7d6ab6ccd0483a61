import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { answerWith, FakeEndpoint, streamText } from '../support/servers/fake-endpoint';
import { answerExams } from '../support/servers/exam-endpoint';
import { answerJobs } from '../support/servers/job-endpoint';
import { ParleyWindow, until } from './parley-window';

describe('finding the best protocol', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  let lab: Frame;
  before(async () => {
    endpoint = await FakeEndpoint.start();
    const { baseUrl } = endpoint;
    window = await ParleyWindow.open({
      viewport: { width: 1280, height: 900 },
      settings: {
        'parley.model': 'local',
        'parley.models': [
          { id: 'local', name: 'Local', provider: 'openai', baseUrl, model: 'm', forcedForm: 'off' },
        ],
      },
    });
  });
  beforeEach(() => endpoint.reset());
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const button = (name: string): Locator => lab.getByRole('button', { name, exact: true });
  const status = (says: RegExp): Promise<void> =>
    lab.getByRole('status').filter({ hasText: says }).first().waitFor({ timeout: 60_000 });
  const begin = async (): Promise<void> => {
    await window.workbench.runCommand('Parley: Find Best Protocol…');
    lab = await window.workbench.webview('main.lab');
    await lab.getByRole('heading', { name: 'Best protocol for Local' }).waitFor();
  };

  it('says what is wrong with an endpoint that refuses', async () => {
    await begin();
    const error = '{"error":{"message":"There is no such model."}}';
    endpoint.always(() => answerWith(404, 'application/json', error));
    await lab.getByText(/^Takes \d+ requests/).waitFor();
    await button('Start').click();
    await status(/The server failed repeatedly/);
    await button('Start over').click();
    await button('Start').waitFor();
  });

  it('waits if there are too many requests, and can be stopped and resumed', async () => {
    let asked = 0;
    const speak = answerExams('hermes', 1);
    endpoint.always((request) =>
      ++asked % 7 === 0
        ? (response) => void response.writeHead(429, { 'retry-after': '0' }).end()
        : speak(request),
    );
    await button('Start').click();
    await lab.getByRole('row', { name: /^hermes/ }).waitFor();
    await button('Stop').click();
    await button('Continue').waitFor();
    const { length } = endpoint.requests;
    await lab.getByText(/stopped before one was best/).waitFor();
    assert.equal(endpoint.requests.length, length);
    await button('Continue').click();
    await status(/"hermes" did (\d+) of \1 tasks and is at least 90 % likely/);
  });

  it('shows the replies of a model, and writes the result into the profile', async () => {
    const faults = lab.getByRole('region', { name: 'What went wrong' });
    await faults
      .getByRole('button', { name: /Open (?:in|Reply 1 in) Parse/ })
      .first()
      .click();
    await until(() => lab.getByRole('textbox', { name: 'Reply' }).inputValue(), /\S/);
    await lab.getByRole('tab', { name: 'Doctor' }).click();
    await button('Use this').click();
    const dialog = window.workbench.page.getByRole('dialog');
    await dialog.getByText(/"protocol": "hermes"/).waitFor();
    await dialog.getByRole('button', { name: 'Write', exact: true }).click();
    await lab.getByText('Set in the profile.').waitFor();
  });

  it('is started by the button beside a model, and says if no protocol works', async () => {
    await button('Start over').click();
    endpoint.always(() => streamText('I cannot do that.'));
    await window.workbench.runCommand('Parley: Select Model…');
    const row = window.workbench.page
      .locator('.quick-input-widget')
      .getByRole('option')
      .filter({ hasText: 'Local' })
      .first();
    await row.hover();
    await row.getByRole('button', { name: 'Find best protocol…' }).click();
    await button('Start').click();
    await status(/No protocol works/);
  });

  it('takes a quick look: three jobs, in the way that the profile says', async () => {
    await button('Start over').click();
    endpoint.always(answerJobs('hermes', () => streamText('I cannot do that.')));
    await button('A quick look').click();
    await status(/It took a quick look\. With "hermes, many" it did 3 of 3 small jobs\./);
    await lab.getByRole('region', { name: 'Jobs' }).getByText('3 of 3').waitFor();
  });
});

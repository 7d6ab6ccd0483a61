import { deepEqual, equal, match } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { LabAnswers, LabToHost } from '../../src/contract/lab';
import type { AgentEvent } from '../../src/core/words/events';
import { launchChromium } from '../hosts/chromium';
import { runStart } from '../support/agent/chat-events';
import { eventually } from '../support/eventually';
import { LabHarness } from '../support/pages/lab-harness';
import {
  askingCall,
  askingRun,
  doctorAtWork,
  doctorEnd,
  doctorPage,
  doctorQuick,
  gatewayPage,
  labRun,
  labRuns,
  openDoctorTab,
  openGatewayTab,
  openLab,
  picture,
} from '../support/pages/lab-states';

describe('the lab page', () => {
  let browser: Browser;
  let lab: LabHarness;

  const tab = (name: string): Locator => lab.page.getByRole('tab', { name, exact: true });
  const button = (name: string): Locator => lab.page.getByRole('button', { name, exact: true });
  const json = (): Locator => lab.page.getByRole('textbox', { name: 'Arguments (JSON)', exact: true });
  const toolName = (): Locator => lab.page.getByRole('combobox', { name: 'Tool', exact: true });
  const field = (name: string): Locator =>
    lab.page.getByRole('group', { name: 'Arguments', exact: true }).getByLabel(name);
  const editor = async (): Promise<unknown> => JSON.parse(await json().innerText()) as unknown;
  const names = async (): Promise<readonly string[]> =>
    lab.page.locator('.toolset:visible .tool .tool-name').allInnerTexts();
  const sent = async (type: LabToHost['type']): Promise<number> =>
    (await lab.posted()).filter((message) => message.type === type).length;

  /** Sends the host's message that something is new, and the new data. */
  const tellPage = async <Type extends 'doctor' | 'gateway'>(
    tab: Type,
    page: LabAnswers[`${Type}-state`],
  ): Promise<void> => {
    const before = await sent(`${tab}-state`);
    await lab.send(tab === 'doctor' ? { type: 'doctor-changed' } : { type: 'gateway-changed' });
    await eventually(async () => (await sent(`${tab}-state`)) > before);
    await lab.answer(`${tab}-state`, page);
  };

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    lab = await LabHarness.open(browser);
  });
  after(() => browser.close());
  beforeEach(async () => {
    await lab.load();
    await openLab(lab);
  });
  afterEach(() => {
    deepEqual(lab.complaints, []);
  });

  describe('tabs', () => {
    it('are navigated with the arrow keys, with one stop for Tab', async () => {
      await tab('Tools').focus();
      for (const [key, name] of [
        ['ArrowRight', 'Run'],
        ['ArrowRight', 'Parse'],
        ['ArrowRight', 'Doctor'],
        ['ArrowRight', 'Gateway'],
        ['ArrowRight', 'Requests'],
        ['ArrowLeft', 'Gateway'],
        ['Home', 'Requests'],
        ['End', 'Gateway'],
      ] as const) {
        await lab.page.keyboard.press(key);
        equal(await tab(name).getAttribute('aria-selected'), 'true', key);
        equal(await tab(name).evaluate((element) => element === document.activeElement), true, key);
        await lab.page.getByRole('tabpanel', { name, exact: true }).waitFor();
      }
      equal(await lab.page.locator('[role=tab][tabindex="0"]').count(), 1);
    });

    it('are kept with their text when the page is reloaded', async () => {
      await tab('Tools').click();
      await lab.page.getByRole('searchbox', { name: 'Search tools' }).fill('edit');
      await lab.page.getByRole('combobox', { name: 'Sort' }).selectOption('methods');
      await tab('Run').click();
      await toolName().fill('read_file');
      await json().fill('{"path":"a.ts"}');
      await lab.reload();
      await openLab(lab);
      equal(await tab('Run').getAttribute('aria-selected'), 'true');
      equal(await toolName().inputValue(), 'read_file');
      deepEqual(await editor(), { path: 'a.ts' });
      equal(await field('path').inputValue(), 'a.ts');
      await tab('Tools').click();
      equal(await lab.page.getByRole('searchbox', { name: 'Search tools' }).inputValue(), 'edit');
      equal(await lab.page.getByRole('combobox', { name: 'Sort' }).inputValue(), 'methods');
      deepEqual(await names(), ['edit_file']);
    });
  });

  describe('tools', () => {
    it('are listed by toolset, and sorted by its name or its number of methods', async () => {
      deepEqual(await names(), ['weather', 'edit_file', 'find_files', 'read_file', 'run_shell_command']);
      await lab.page.getByRole('combobox', { name: 'Sort' }).selectOption('methods');
      deepEqual(await names(), ['edit_file', 'find_files', 'read_file', 'weather', 'run_shell_command']);
    });

    for (const [query, found] of [
      ['file', ['edit_file', 'find_files', 'read_file']],
      ['SHELL_run', ['run_shell_command']],
      ['by others', ['weather']],
      ['files read text', ['read_file']],
      ['nothing of that kind', []],
    ] as const) {
      it(`are found by their descriptions: ${query}`, async () => {
        await lab.page.getByRole('searchbox', { name: 'Search tools' }).fill(query);
        deepEqual(await names(), found);
      });
    }

    it('show all details of one, and are navigated with the arrow keys', async () => {
      await button('edit_file off').click();
      const detail = lab.page.getByRole('region', { name: 'Tool', exact: true });
      await detail.getByText('files_editFile').waitFor();
      await detail.getByText('About 120 tokens in every request').waitFor();
      match(await detail.getByRole('group', { name: 'JSON Schema' }).innerText(), /"edits": \{/);
      await lab.page.keyboard.press('ArrowDown');
      await detail.getByText('the agent Ask may not use it').waitFor();
      await detail.getByRole('heading', { name: 'find_files' }).waitFor();
    });

    it('can be loaded into the Run tab', async () => {
      await button('read_file').click();
      await button('Load into Run').click();
      equal(await tab('Run').getAttribute('aria-selected'), 'true');
      equal(await toolName().inputValue(), 'read_file');
      await field('path').waitFor();
    });

    it('are listed again if they change, with an error if that fails', async () => {
      await lab.send({ type: 'tools-changed' });
      await lab.answer('list-tools', []);
      await lab.page.getByText('No tools found. Try another search.').waitFor();
      await lab.send({ type: 'tools-changed' });
      await lab.fail('list-tools', 'That did not work.');
      await lab.page.getByText('That did not work.').waitFor();
    });
  });

  describe('the doctor', () => {
    const spin = (): Locator => lab.page.getByRole('spinbutton', { name: 'Maximum requests' });

    it('shows the cost before it starts, with a limit that can be lowered', async () => {
      await openDoctorTab(lab, doctorPage);
      await lab.page
        .getByText('Takes 40 requests, 141,000 in, 4,100 out, $0.08 to 260 requests, 903,000 in')
        .waitFor();
      await spin().fill('25');
      await button('Start').click();
      const { mostRequests, isQuick } = await lab.received('start-doctor');
      deepEqual([mostRequests, isQuick], [25, undefined]);
    });

    it('offers a quick look first, and says minutes once a speed is known', async () => {
      await openDoctorTab(lab, doctorPage);
      equal(await lab.page.getByText(/At the measured speed/).count(), 0);
      await tellPage('doctor', { ...doctorPage, minutes: { least: 48, most: 260, quick: 9 } });
      await lab.page.getByText('At the measured speed: 48 to 260 minutes, a quick look about 9.').waitFor();
      await button('A quick look').click();
      equal((await lab.received('start-doctor')).isQuick, true);
    });

    it('shows what the model did of the jobs, and how it worked', async () => {
      await openDoctorTab(lab, doctorQuick);
      const jobs = lab.page.getByRole('region', { name: 'Jobs' });
      const cells = (name: RegExp): Promise<readonly string[]> =>
        jobs.getByRole('row', { name }).getByRole('cell').allInnerTexts();
      deepEqual(await cells(/^native many calls · all tools/), [
        '0 of 2',
        'wrong 41.0 s',
        'no call 12.0 s',
        '',
      ]);
      deepEqual(await cells(/^plain\+forced one call a step · few tools · temperature 0\.2/), [
        ...['2 of 3', 'right 38.0 s', 'right 44.0 s', 'wrong 51.0 s'],
      ]);
      await button('Compare all protocols').click();
      equal((await lab.received('start-doctor')).isQuick, undefined);
      await tellPage('doctor', { ...doctorQuick, state: 'stopped' });
      await button('Continue').click();
      equal((await lab.received('start-doctor')).isQuick, true);
    });

    it('draws wrong calls as wrong, and missing ones as no call', async () => {
      await openDoctorTab(lab, doctorAtWork);
      const row = lab.page.getByRole('row', { name: /^vcp\+forced/ });
      deepEqual((await row.getByRole('cell').allInnerTexts()).slice(4, 8), [
        ...['1 of 2\n1 wrong', '0 of 2\n2 no call', '1 of 3\n1 no call · 1 malformed', '2 of 2'],
      ]);
    });

    it('fills a table while it works, and can be stopped', async () => {
      await openDoctorTab(lab, doctorAtWork);
      await lab.page.getByText('In progress: hermes+forced is ahead with 15 of 16').waitFor();
      equal(await spin().isDisabled(), true);
      const row = lab.page.getByRole('row', { name: /^hermes\+forced/ });
      deepEqual((await row.getByRole('cell').allInnerTexts()).slice(0, 6), [
        ...['15 of 16', '41–86 %', '7–64 %', '9 of 12', '2 of 2', '1 of 2'],
      ]);
      match(await row.getByRole('cell').last().innerText(), /too long/);
      match(await lab.page.getByRole('row', { name: /^native/ }).innerText(), /out/);
      await tellPage('doctor', { ...doctorAtWork, state: 'stopped' });
      await button('Continue').click();
      await lab.received('start-doctor');
      await button('Start over').click();
      await lab.received('restart-doctor');
    });

    it('shows what went wrong, with the replies', async () => {
      await openDoctorTab(lab, doctorAtWork);
      await lab.page.getByText('It called find_files and not read_file.').waitFor();
      await button('Open Reply 2 in Parse').click();
      const { exam, reply } = await lab.received('parse-exam');
      deepEqual([exam, reply], [2, 1]);
      await button('Stop').click();
      await lab.received('stop-doctor');
    });

    it('shows the result, and applies it', async () => {
      await openDoctorTab(lab, doctorEnd);
      await lab.page.getByRole('status').filter({ hasText: 'at least 90 % likely' }).waitFor();
      await button('Save Report…').click();
      await lab.received('save-report');
      await lab.page.getByText('206 clean · 4 repaired · 0 recovered · 2 malformed').waitFor();
      await button('Save Counts…').click();
      await lab.received('save-counts');
      await button('Delete Counts of All Models').click();
      await lab.received('forget-counts');
      await button('Use this').click();
      await lab.received('use-protocol');
      await tellPage('doctor', { ...doctorEnd, recommended: { id: 'hermes+forced', isUsed: true } });
      await lab.page.getByText('Set in the profile.').waitFor();
      equal(await button('Use this').count(), 0);
    });

    it('comes to the front if it was requested before the page existed', async () => {
      await lab.answer('take-target', { tab: 'doctor' });
      await lab.page.getByRole('tabpanel', { name: 'Doctor', exact: true }).waitFor();
      await lab.received('doctor-state');
    });

    it('comes to the front when requested, and says why it cannot start', async () => {
      await lab.showTarget({ tab: 'doctor' });
      await lab.page.getByRole('tabpanel', { name: 'Doctor', exact: true }).waitFor();
      await lab.answer('doctor-state', { ...doctorPage, problem: 'The model "own" has no address.' });
      await lab.page.getByRole('alert').filter({ hasText: 'has no address' }).waitFor();
      equal(await button('Start').count(), 0);
    });
  });

  describe('the gateway', () => {
    const section = (name: string): Locator => lab.page.getByRole('region', { name, exact: true });

    it('is started and stopped, and gives its address and its token', async () => {
      await openGatewayTab(lab, { requests: [] });
      await lab.page.getByText('No requests yet.').waitFor();
      await button('Start Gateway').click();
      await lab.received('start-gateway');
      await tellPage('gateway', gatewayPage);
      await section('Gateway').getByText('Qwen 7B at http://127.0.0.1:45123/v1').waitFor();
      await button('Copy Token').click();
      await button('Copy Address').click();
      const copied = (await lab.posted()).flatMap((each) => (each.type === 'copy-gateway' ? each.what : []));
      deepEqual(copied, ['token', 'address']);
      await button('Stop Gateway').click();
      await lab.received('stop-gateway');
    });

    it('shows the last requests and their sum', async () => {
      await openGatewayTab(lab, gatewayPage);
      const requests = section('Last requests');
      await requests
        .getByText('5 requests · 2 calls · 1 repaired · 3 requested again · 1 shown as text')
        .waitFor();
      const rows = requests.locator('.served');
      match(await rows.nth(0).innerText(), /^Running/);
      match(
        await rows.nth(1).innerText(),
        /Answered[^]*to another program[^]*hermes\s+2 calls · 1 repaired · 1 requested again · ≈ 6,400 in · ≈ 310 out · 2\.4 s[^]*no value/,
      );
      match(await rows.nth(2).innerText(), /to VS Code[^]*vcp[^]*1 shown as text/);
      match(await rows.nth(3).innerText(), /^Failed[^]*too busy/);
      match(await rows.nth(4).innerText(), /^The program disconnected/);
      await requests.getByRole('button', { name: 'Clear' }).click();
      await lab.received('forget-served');
    });

    it('opens a reply in the Parse tab, or says that it is gone', async () => {
      await openGatewayTab(lab, gatewayPage);
      await button('Open Reply 2 in Parse').first().click();
      const { request, reply } = await lab.received('parse-served');
      deepEqual([request, reply], [4, 1]);
      await lab.answer('parse-served', false);
      await lab.page.getByText('This reply is no longer available. Open another one.').waitFor();
    });

    it('is asked once at a time, and again after a change', async () => {
      await openGatewayTab(lab, { requests: [] });
      const before = await sent('gateway-state');
      for (let at = 0; at < 5; at++) await lab.send({ type: 'gateway-changed' });
      equal(await sent('gateway-state'), before + 1);
      await lab.answer('gateway-state', { requests: [] });
      await eventually(async () => (await sent('gateway-state')) === before + 2);
      await lab.answer('gateway-state', gatewayPage);
      await section('Last requests').waitFor();
      equal(await sent('gateway-state'), before + 2);
    });
  });

  describe('arguments', () => {
    beforeEach(() => lab.showTarget({ tab: 'run', tool: 'edit_file' }));

    it('are written by the form', async () => {
      await field('path').fill('a.ts');
      await button('Add item to edits').click();
      await field('old').fill('one');
      await field('new').fill('two\n');
      await field('expect').fill('2');
      await field('mode').selectOption('"careful"');
      await field('backup').selectOption('true');
      await field('when').fill('now');
      deepEqual(await editor(), {
        path: 'a.ts',
        edits: [{ old: 'one', new: 'two\n', expect: 2 }],
        mode: 'careful',
        options: { backup: true },
        when: 'now',
      });
      await button('Remove item 1 of edits').click();
      await field('mode').selectOption('');
      await field('backup').selectOption('');
      await field('when').fill('');
      deepEqual(await editor(), { path: 'a.ts', edits: [] });
    });

    it('are read from the JSON into the form', async () => {
      await json().fill('{"path":"b.ts","edits":[{"old":"x","new":"y"},{"old":"z","new":""}],"more":[1]}');
      equal(await field('path').inputValue(), 'b.ts');
      deepEqual(
        await lab.page
          .getByLabel('old')
          .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
        ['x', 'z'],
      );
      equal(await field('more').inputValue(), '[\n  1\n]');
    });

    it('report invalid JSON, and keep it', async () => {
      await json().fill('{"path":');
      const problems = lab.page.getByRole('list', { name: 'Problems in the arguments' });
      await problems.getByText('This is not a JSON object.').waitFor();
      equal(await field('path').isDisabled(), true);
      equal(await button('Run tool').getAttribute('aria-disabled'), 'true');
      await button('Run tool').click({ force: true });
      equal(await sent('run-tool'), 0);
      await json().fill('{"path":"a"}');
      equal(await field('path').isDisabled(), false);
    });

    it('say what does not match the schema, and where', async () => {
      await json().fill('{"path":1,"edits":[{"old":"x"}],"mode":"slow"}');
      const problems = lab.page.getByRole('list', { name: 'Problems in the arguments' });
      deepEqual(await problems.getByRole('listitem').allInnerTexts(), [
        'path The type must be string.',
        'edits.0 "new" is missing.',
        'mode Instance does not match any of ["fast","careful"].',
      ]);
      await lab.page.locator('.cm-lintRange-warning').first().waitFor();
      deepEqual(await lab.page.locator('.cm-lintRange-warning').allInnerTexts(), ['1', '{', '"slow"']);
      // The tool makes the final check.
      equal(await button('Run tool').getAttribute('aria-disabled'), 'false');
    });

    it('name the field whose JSON is wrong', async () => {
      await field('lines').fill('{');
      await lab.page.getByRole('alert').getByText('"lines" is not valid JSON.').waitFor();
      // Otherwise the run would differ from what the form shows.
      equal(await button('Run tool').getAttribute('aria-disabled'), 'true');
      await json().press('Control+Enter');
      equal(await sent('run-tool'), 0);
    });
  });

  describe('a run', () => {
    const begin = async (): Promise<void> => {
      await lab.showTarget({ tab: 'run', tool: 'run_shell_command' });
      await json().fill('{"command":"npm test"}');
      await button('Run tool').click();
    };
    const live = async (...events: readonly AgentEvent[]): Promise<void> =>
      lab.send({ type: 'run-events', events });
    const card = (): Locator => lab.page.getByRole('group', { name: 'Tool call run_shell_command' });

    it('accepts both forms of a name, and sends the arguments as written', async () => {
      await tab('Run').click();
      await toolName().fill('files_readFile');
      await field('path').fill('a.ts');
      await button('Run tool').click();
      const { tool, arguments: text } = await lab.received('run-tool');
      equal(tool, 'files_readFile');
      deepEqual(JSON.parse(text), { path: 'a.ts' });
    });

    it('starts with Ctrl+Enter in the editor, once', async () => {
      await begin();
      await json().press('Control+Enter');
      await json().press('Control+Enter');
      equal(await sent('run-tool'), 1);
    });

    it('says why it does not start', async () => {
      await begin();
      await lab.answer('run-tool', { problem: 'There is no tool "x". Select one from the list.' });
      await lab.page.getByRole('alert').getByText('There is no tool "x".').waitFor();
      equal(await button('Run tool').getAttribute('aria-disabled'), 'false');
    });

    it('asks for approval in the lab', async () => {
      await begin();
      await lab.answer('run-tool', {});
      await live(...askingRun);
      await card().getByText('no rule allows it').waitFor();
      await lab.page
        .getByRole('status')
        .getByText('run_shell_command is waiting for your approval')
        .waitFor();
      await card().getByRole('button', { name: 'Run', exact: true }).click();
      deepEqual(await lab.received('decide'), {
        type: 'decide',
        callId: askingCall.id,
        answer: { type: 'run' },
      });
    });

    it('can be stopped', async () => {
      await begin();
      await live(...askingRun);
      await button('Stop').click();
      equal(await sent('stop'), 1);
      await live({ type: 'run-end', outcome: { type: 'aborted' } });
      await button('Stop').waitFor({ state: 'detached' });
    });

    it('shows output while it runs', async () => {
      await begin();
      await live(
        ...askingRun,
        { type: 'approval-end', callId: askingCall.id, decision: { type: 'run', by: 'user', reason: '' } },
        { type: 'tool-start', callId: askingCall.id, title: 'Run npm test' },
        { type: 'tool-output', callId: askingCall.id, text: '12 passing' },
      );
      await card().getByText('12 passing').waitFor();
    });

    it('ends with its status, its time and its result', async () => {
      await begin();
      await live(runStart('x'), { type: 'run-end', outcome: { type: 'done' } });
      await lab.send({ type: 'run-kept', run: labRun(9, {}, { images: [picture] }), kept: ['9'] });
      const result = lab.page.getByRole('region', { name: 'Result' });
      match(await result.getByRole('heading').innerText(), /read_file: Succeeded\s+12 ms/);
      await result.getByRole('group', { name: 'Returned text' }).getByText('file 9').waitFor();
      const image = result.getByRole('img', { name: 'Image 1 of the result' });
      equal(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth > 0), true);
    });

    it('ends with the focus on its result, unless the user is elsewhere', async () => {
      const result = lab.page.getByRole('region', { name: 'Result' });
      for (const isHere of [true, false]) {
        await lab.load();
        await openLab(lab);
        await begin();
        await lab.page.evaluate((here) => {
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          document.hasFocus = () => here;
        }, isHere);
        await live(runStart('x'), { type: 'run-end', outcome: { type: 'done' } });
        await lab.send({ type: 'run-kept', run: labRun(9), kept: ['9'] });
        await result.waitFor();
        equal(await result.evaluate((element) => element === document.activeElement), isHere);
      }
    });

    it('stays in view while an earlier one is shown', async () => {
      await lab.load();
      await openLab(lab, { runs: { runs: labRuns, events: askingRun } });
      await tab('Run').click();
      await lab.page.getByRole('button', { name: /^Failed edit_file/ }).click();
      await lab.page.getByRole('region', { name: 'Result' }).getByText('No file at src/2.ts.').waitFor();
      await card().getByText('no rule allows it').waitFor();
    });

    it('continues while the page is reloaded', async () => {
      await lab.load();
      await openLab(lab, { runs: { runs: [], events: askingRun } });
      await tab('Run').click();
      await card().getByText('no rule allows it').waitFor();
    });
  });

  describe('the last runs', () => {
    beforeEach(async () => {
      await lab.load();
      await openLab(lab, { runs: { runs: labRuns, events: [] } });
      await tab('Run').click();
    });

    it('are listed, and a click shows one and loads it again', async () => {
      const list = lab.page.getByRole('region', { name: 'Last runs' });
      equal(await list.getByRole('listitem').count(), 3);
      await list.getByRole('button', { name: /^Failed edit_file/ }).click();
      await lab.page.getByRole('region', { name: 'Result' }).getByText('No file at src/2.ts.').waitFor();
      equal(await toolName().inputValue(), 'edit_file');
      deepEqual(await editor(), { path: 'src/2.ts' });
    });

    it('are replaced by a new one', async () => {
      await lab.send({ type: 'run-kept', run: labRun(4), kept: ['4', '3', '2'] });
      await lab.page.getByRole('region', { name: 'Result' }).getByText('file 4').waitFor();
      equal(await lab.page.locator('.last-run').count(), 3);
    });

    it('can be cleared', async () => {
      await button('Clear').click();
      equal(await sent('forget-runs'), 1);
      await lab.send({ type: 'runs', runs: [] });
      await lab.page.getByRole('region', { name: 'Last runs' }).waitFor({ state: 'detached' });
    });
  });
});

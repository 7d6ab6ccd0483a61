import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { LabHarness } from '../support/pages/lab-harness';
import {
  answerDraft,
  changeReply,
  editedParts,
  openRequestsTab,
  sampleReply,
  sampleRequest,
} from '../support/pages/requests-tab';

describe('the Requests tab of the lab', () => {
  let browser: Browser;
  let lab: LabHarness;
  const button = (name: string | RegExp): Locator => lab.page.getByRole('button', { name });
  const list = (name: string): Locator => lab.page.getByRole('list', { name });
  const box = (): Locator => lab.page.getByRole('textbox', { name: 'Reply' });
  const protocol = (): Locator => lab.page.getByRole('combobox', { name: 'Protocol' });

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    lab = await LabHarness.open(browser, { width: 1000 });
  });
  after(() => browser.close());
  beforeEach(async () => {
    await lab.load();
    await openRequestsTab(lab);
  });
  afterEach(() => deepEqual(lab.complaints, []));

  it('shows the request collapsed by message, and copies it', async () => {
    const { page } = lab;
    const folds = page.locator('.messages').first().locator('summary');
    equal(await folds.count(), 3);
    match((await folds.nth(1).textContent()) ?? '', /user.*Write hello into a\.txt\./);
    await folds.nth(1).click();
    const text = page.getByRole('group', { name: 'Message 2: user' });
    equal(await text.textContent(), 'Write hello into a.txt.');
    await button('Copy request as JSON').click();
    equal((await lab.received('copy-section')).section, 'request');
    await lab.answer('copy-section', true);
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
  });

  it('names the field that forced the form, with the grammar collapsed', async () => {
    if (sampleRequest.type === 'none') return;
    const { page } = lab;
    const forms = [{ field: 'grammar', text: 'root ::= t call\nt ::= [^<]*' }];
    await changeReply(lab, sampleReply, { ...sampleRequest, forms });
    await page.getByText('The format of the reply was enforced by the field "grammar".').waitFor();
    equal(await page.getByText('root ::= t call').count(), 0);
    await page.locator('summary', { hasText: /^grammar/ }).click();
    await page.getByRole('group', { name: 'grammar' }).getByText('root ::= t call').waitFor();
  });

  it('says if a request is not the one that was sent', async () => {
    if (sampleRequest.type === 'none') return;
    await changeReply(lab, sampleReply, { ...sampleRequest, type: 'anew' });
    const said = 'Rebuilt from the session with the current tools and settings.';
    await lab.page.getByText(said).waitFor();
    await changeReply(lab, sampleReply, { type: 'none', why: 'Nothing was sent.' });
    await lab.page.getByText('Nothing was sent.').waitFor();
    equal(await button('Copy request as JSON').count(), 0);
  });

  it('lists the parsed calls: arguments, who decided, how they ended, why one is malformed', async () => {
    const items = list('Parsed calls').getByRole('listitem');
    const [first, second] = [items.nth(0), items.nth(1)];
    match((await first.textContent()) ?? '', /read_file.*"a\.txt".*Allowed by rule · succeeded · 12 ms/s);
    match((await second.textContent()) ?? '', /write_file.*Malformed/s);
    const problem = list('Errors and warnings').getByRole('listitem').first();
    match((await problem.textContent()) ?? '', /write_file: unfinished.*not finished.*end marker/s);
    await lab.page.getByText('The reply looks odd.').waitFor();
  });

  it('links each call and its place in the text, in both directions and by keyboard', async () => {
    const text = lab.page.getByRole('group', { name: 'Raw reply' });
    const inText = text.getByRole('button', { name: /write_file/ });
    const inList = list('Parsed calls').getByRole('button', { name: 'write_file' });
    await inList.focus();
    equal(await inText.getAttribute('aria-current'), 'true');
    await text.getByRole('button', { name: /read_file/ }).focus();
    const other = list('Parsed calls').getByRole('button', { name: 'read_file' });
    equal(await other.getAttribute('aria-current'), 'true');
    equal(await inList.getAttribute('aria-current'), 'false');
  });

  it('reads the reply in another form, beside the original result', async () => {
    await protocol().selectOption('hermes');
    const asked = await answerDraft(lab, []);
    deepEqual(asked, { type: 'parse-again', id: asked.id, protocol: 'hermes' });
    await lab.page.getByText('0 calls', { exact: true }).waitFor();
    equal(await list('Parsed calls').getByRole('listitem').count(), 2);
    ok(await button('Continue with this reply').isEnabled());
    await button('Discard').click();
    equal(await button('Continue with this reply').count(), 0);
    equal(await protocol().inputValue(), 'vcp');
  });

  it('edits the text and continues only with the latest parsed result', async () => {
    await button('Edit reply').click();
    equal(await box().inputValue(), sampleReply.raw);
    ok(await box().evaluate((element) => element === document.activeElement));
    await answerDraft(lab, sampleReply.parsed);
    const edited = sampleReply.raw.replace('END_TOOL_REQ]', 'END_TOOL_REQUEST]');
    await box().fill(edited);
    ok(await button('Continue with this reply').isDisabled());
    const { id, text } = await answerDraft(lab, editedParts);
    equal(text, edited);
    await lab.page.getByText('2 calls', { exact: true }).waitFor();
    match((await list('Parsed now').textContent()) ?? '', /Repaired.*"content": "hello"/s);
    await button('Continue with this reply').click();
    equal((await lab.received('continue-with')).reading, id);
    await lab.answer('continue-with', { problem: 'A run is in progress.' });
    await lab.page.getByRole('status').filter({ hasText: 'A run is in progress.' }).waitFor();
  });

  it('ignores an answer to an older text', async () => {
    await button('Edit reply').click();
    await lab.passTime();
    const { id } = await lab.received('parse-again');
    await box().fill('something else');
    await lab.answer('parse-again', { type: 'reading', number: id, parts: editedParts });
    await lab.page.getByText('Reading…').waitFor();
    ok(await button('Continue with this reply').isDisabled());
  });

  it('keeps a draft while it is hidden, and while another reply is shown', async () => {
    await button('Edit reply').click();
    await box().fill('half done');
    await lab.reload();
    await lab.answer('inspected-reply', sampleReply);
    equal(await box().inputValue(), 'half done');
    // There was no click in this page, so it must not take the focus.
    equal(await lab.page.locator(':focus').count(), 0);
    await changeReply(lab, { ...sampleReply, key: '2', number: 3 });
    await lab.page.getByRole('heading', { name: 'Reply 3' }).waitFor();
    equal(await box().count(), 0);
    await changeReply(lab, sampleReply);
    equal(await box().inputValue(), 'half done');
    await button('Discard').click();
    await changeReply(lab, { ...sampleReply, key: '2', number: 3 });
    await changeReply(lab, sampleReply);
    equal(await box().count(), 0);
  });

  it('makes hidden characters of an edited text visible', async () => {
    await button('Edit reply').click();
    const drawn = lab.page.getByText('Lines with hidden characters');
    equal(await drawn.count(), 0);
    await box().fill('one\nwrite a\u202etxt.b\nthree');
    await drawn.first().waitFor();
    await lab.page.getByText('write a⟨U+202E⟩txt.b').waitFor();
  });

  it('says if a reply was cut off', async () => {
    await changeReply(lab, { ...sampleReply, isCutOff: true });
    await lab.page.getByText(/ · cut off$/).waitFor();
  });

  it('keeps the draft while the same reply changes', async () => {
    await button('Edit reply').click();
    await box().fill('half done');
    await changeReply(lab, { ...sampleReply, whyNotGoOn: 'A run goes on.' });
    equal(await box().inputValue(), 'half done');
    await answerDraft(lab, editedParts);
    await lab.page.getByText('A run goes on.').waitFor();
    ok(await button('Continue with this reply').isDisabled());
  });

  it('edits the lines of a stream if the protocol has no text', async () => {
    const recorded = 'data: {"choices":[]}\n\ndata: [DONE]\n';
    await changeReply(lab, { ...sampleReply, key: '7', protocol: 'native', recorded });
    await button('Edit reply').click();
    equal(await box().inputValue(), recorded);
  });

  it('does not edit a reply with a key', async () => {
    await changeReply(lab, { ...sampleReply, whyNotEditable: 'This reply contains what looks like a key.' });
    await lab.page.getByText('This reply contains what looks like a key.').waitFor();
    ok(await button('Edit reply').isDisabled());
  });

  it('opens the reply in Parse: the original, or the one read now', async () => {
    await button('Open in Lab').click();
    equal((await lab.received('parse-inspected')).reading, undefined);
    await protocol().selectOption('json');
    const { id } = await answerDraft(lab, editedParts);
    await lab.page.getByText('2 calls', { exact: true }).waitFor();
    await button('Open in Lab').click();
    equal((await lab.received('parse-inspected')).reading, id);
  });

  it('says why no reply is open, and opens the last one', async () => {
    await changeReply(lab, { problem: 'Another session is open.' });
    await lab.page.getByText('Another session is open.').waitFor();
    equal(await button('Edit reply').count(), 0);
    await button('Inspect Last Reply').click();
    await lab.received('inspect-last');
    await changeReply(lab, sampleReply);
    await lab.page.getByRole('heading', { name: 'Reply 2' }).waitFor();
  });

  it('has no accessibility violations', async () => {
    const page = await LabHarness.open(browser, { width: 1000 });
    try {
      await openRequestsTab(page);
      await page.page.locator('.messages summary').first().click();
      deepEqual(await violationsInAnyTheme(page), []);
      await page.page.getByRole('button', { name: 'Edit reply' }).click();
      await answerDraft(page, editedParts);
      await page.page.getByText('2 calls', { exact: true }).waitFor();
      deepEqual(await violationsInAnyTheme(page), []);
      deepEqual(page.complaints, []);
    } finally {
      await page.close();
    }
  });
});

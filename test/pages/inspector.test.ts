import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import {
  InspectorHarness,
  editedReply,
  sampleReply,
  sampleRequest,
} from '../support/pages/inspector-harness';

describe('the inspector page', () => {
  let browser: Browser;
  let inspector: InspectorHarness;
  const button = (name: string | RegExp): Locator => inspector.page.getByRole('button', { name });
  const list = (name: string): Locator => inspector.page.getByRole('list', { name });
  const box = (): Locator => inspector.page.getByRole('textbox', { name: 'Reply' });
  const protocol = (): Locator => inspector.page.getByRole('combobox', { name: 'Protocol' });

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
    inspector = await InspectorHarness.open(browser);
  });
  after(() => browser.close());
  beforeEach(async () => {
    await inspector.load();
    await inspector.show(sampleReply);
  });
  afterEach(() => deepEqual(inspector.complaints, []));

  it('shows the request collapsed by message, and copies it', async () => {
    const { page } = inspector;
    const folds = page.locator('.messages').first().locator('summary');
    equal(await folds.count(), 3);
    match((await folds.nth(1).textContent()) ?? '', /user.*Write hello into a\.txt\./);
    await folds.nth(1).click();
    const text = page.getByRole('group', { name: 'Message 2: user' });
    equal(await text.textContent(), 'Write hello into a.txt.');
    await button('Copy request as JSON').click();
    deepEqual(await inspector.received('copy'), { type: 'copy', section: 'request' });
  });

  it('names the field that forced the form, with the grammar collapsed', async () => {
    if (sampleRequest.type === 'none') return;
    const { page } = inspector;
    const forms = [{ field: 'grammar', text: 'root ::= t call\nt ::= [^<]*' }];
    await inspector.send({ type: 'request', request: { ...sampleRequest, forms } });
    await page.getByText('The format of the reply was enforced by the field "grammar".').waitFor();
    equal(await page.getByText('root ::= t call').count(), 0);
    await page.locator('summary', { hasText: /^grammar/ }).click();
    await page.getByRole('group', { name: 'grammar' }).getByText('root ::= t call').waitFor();
  });

  it('says if a request is not the one that was sent', async () => {
    if (sampleRequest.type === 'none') return;
    await inspector.send({ type: 'request', request: { ...sampleRequest, type: 'anew' } });
    const said = 'Rebuilt from the session with the current tools and settings.';
    await inspector.page.getByText(said).waitFor();
    await inspector.send({ type: 'request', request: { type: 'none', why: 'Nothing was sent.' } });
    await inspector.page.getByText('Nothing was sent.').waitFor();
    equal(await button('Copy request as JSON').count(), 0);
  });

  it('lists the parsed calls: arguments, who decided, how they ended, why one is malformed', async () => {
    const items = list('Parsed calls').getByRole('listitem');
    const [first, second] = [items.nth(0), items.nth(1)];
    match((await first.textContent()) ?? '', /read_file.*"a\.txt".*Allowed by rule · succeeded · 12 ms/s);
    match((await second.textContent()) ?? '', /write_file.*Malformed.*not finished.*end marker/s);
    await inspector.page.getByText('The reply looks odd.').waitFor();
  });

  it('links each call and its place in the text, in both directions and by keyboard', async () => {
    const text = inspector.page.getByRole('group', { name: 'Raw reply' });
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
    const asked = await inspector.answer({ calls: [], warnings: [] });
    deepEqual(asked, { type: 'read', id: asked.id, protocol: 'hermes' });
    await inspector.page.getByText('0 calls', { exact: true }).waitFor();
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
    await inspector.answer(sampleReply.parsed);
    const edited = sampleReply.raw.replace('END_TOOL_REQ]', 'END_TOOL_REQUEST]');
    await box().fill(edited);
    ok(await button('Continue with this reply').isDisabled());
    await inspector.page.waitForFunction(() =>
      (window as unknown as { posted: { text?: string }[] }).posted.some(
        ({ text }) => text?.includes('END_TOOL_REQUEST]>>>\n<<<[TOOL') && !text.includes('END_TOOL_REQ]'),
      ),
    );
    const { id, text } = await inspector.answer(editedReply);
    equal(text, edited);
    await inspector.page.getByText('2 calls', { exact: true }).waitFor();
    match((await list('Parsed now').textContent()) ?? '', /Repaired.*"content": "hello"/s);
    await button('Continue with this reply').click();
    deepEqual(await inspector.received('go-on'), { type: 'go-on', id });
  });

  it('ignores an answer to an older text', async () => {
    await button('Edit reply').click();
    const { id } = await inspector.received('read');
    await box().fill('something else');
    await inspector.send({ type: 'reading', id, reading: editedReply });
    await inspector.page.getByText('Reading…').waitFor();
    ok(await button('Continue with this reply').isDisabled());
  });

  it('keeps a draft while it is hidden, and while another reply is shown', async () => {
    await button('Edit reply').click();
    await box().fill('half done');
    await inspector.reload();
    await inspector.show(sampleReply);
    equal(await box().inputValue(), 'half done');
    // There was no click in this page, so it must not take the focus.
    equal(await inspector.page.locator(':focus').count(), 0);
    await inspector.show({ ...sampleReply, key: '2', number: 3 });
    await inspector.page.getByRole('heading', { name: 'Reply 3' }).waitFor();
    equal(await box().count(), 0);
    await inspector.show(sampleReply);
    equal(await box().inputValue(), 'half done');
    await button('Discard').click();
    await inspector.show({ ...sampleReply, key: '2', number: 3 });
    await inspector.show(sampleReply);
    equal(await box().count(), 0);
  });

  it('makes hidden characters of an edited text visible', async () => {
    await button('Edit reply').click();
    const drawn = inspector.page.getByText('Lines with hidden characters');
    equal(await drawn.count(), 0);
    await box().fill('one\nwrite a\u202etxt.b\nthree');
    await drawn.first().waitFor();
    await inspector.page.getByText('write a⟨U+202E⟩txt.b').waitFor();
  });

  it('says if a reply was cut off', async () => {
    await inspector.show({ ...sampleReply, isCutOff: true });
    await inspector.page.getByText(/ · cut off$/).waitFor();
  });

  it('keeps the draft while the same reply changes', async () => {
    await button('Edit reply').click();
    await box().fill('half done');
    await inspector.show({ ...sampleReply, whyNotGoOn: 'A run goes on.' });
    equal(await box().inputValue(), 'half done');
    await inspector.answer(editedReply);
    await inspector.page.getByText('A run goes on.').waitFor();
    ok(await button('Continue with this reply').isDisabled());
  });

  it('edits the lines of a stream if the protocol has no text', async () => {
    const recorded = 'data: {"choices":[]}\n\ndata: [DONE]\n';
    await inspector.show({ ...sampleReply, key: '7', protocol: 'native', recorded });
    await button('Edit reply').click();
    equal(await box().inputValue(), recorded);
  });

  it('does not edit a reply with a key', async () => {
    await inspector.show({ ...sampleReply, whyNotEditable: 'This reply contains what looks like a key.' });
    await inspector.page.getByText('This reply contains what looks like a key.').waitFor();
    ok(await button('Edit reply').isDisabled());
  });

  it('opens the reply in the lab: the original, or the one read now', async () => {
    await button('Open in Lab').click();
    deepEqual(await inspector.received('open-lab'), { type: 'open-lab' });
    await protocol().selectOption('json');
    const { id } = await inspector.answer(editedReply);
    await inspector.page.getByText('2 calls', { exact: true }).waitFor();
    await button('Open in Lab').click();
    deepEqual(await inspector.received('open-lab'), { type: 'open-lab', id });
  });

  it('says if another session replaced the one it shows', async () => {
    await inspector.send({ type: 'gone' });
    await inspector.page.getByText('Another session is open.').waitFor();
    equal(await button('Edit reply').count(), 0);
  });

  it("shows the host's answer to a click", async () => {
    await inspector.send({ type: 'note', text: 'Copied.' });
    await inspector.page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
  });

  it('has no accessibility violations', async () => {
    const page = await InspectorHarness.open(browser);
    try {
      await page.show(sampleReply);
      await page.page.locator('.messages summary').first().click();
      deepEqual(await violationsInAnyTheme(page), []);
      await page.page.getByRole('button', { name: 'Edit reply' }).click();
      await page.answer(editedReply);
      await page.page.getByText('2 calls', { exact: true }).waitFor();
      deepEqual(await violationsInAnyTheme(page), []);
      deepEqual(page.complaints, []);
    } finally {
      await page.close();
    }
  });
});

import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../hosts/chromium';
import { LabHarness } from '../support/pages/lab-harness';
import { openParseTab, parseAfter } from '../support/pages/parse-tab';

const CALL = '<tool_call>\n{"name":"read_file","arguments":{"path":"a.txt"}}\n</tool_call>';
const BROKEN = '<tool_call>\n{"name":"no_such_tool","arguments":{}}\n</tool_call>';

describe('the Parse tab of the lab', () => {
  let browser: Browser;
  let lab: LabHarness;

  before(async function () {
    this.timeout(300_000);
    browser = await launchChromium();
  });
  after(() => browser.close());
  beforeEach(async () => {
    lab = await LabHarness.open(browser, { width: 900, height: 900 });
    await openParseTab(lab);
  });
  afterEach(async () => {
    deepEqual(lab.complaints, []);
    await lab.close();
  });

  const reply = (): ReturnType<typeof lab.page.getByRole> =>
    lab.page.getByRole('textbox', { name: 'Reply', exact: true });
  const calls = (): ReturnType<typeof lab.page.getByRole> =>
    lab.page.getByRole('list', { name: 'Parsed calls' }).getByRole('listitem');
  const text = (): ReturnType<typeof lab.page.getByRole> =>
    lab.page.getByRole('group', { name: 'Reply with calls marked' });
  const status = (): ReturnType<typeof lab.page.getByRole> =>
    lab.page.getByRole('region', { name: 'Parse result' }).getByRole('status');
  const protocol = (): ReturnType<typeof lab.page.getByRole> =>
    lab.page.getByRole('combobox', { name: 'Protocol' });

  const choose = async (option: string, name = 'Protocol'): Promise<void> => {
    await lab.page.getByRole('combobox', { name }).selectOption(option);
  };

  const opened = async (content: string): Promise<void> => {
    await lab.page.getByRole('button', { name: 'Open file…' }).click();
    await lab.answer('open-reply', { name: 'reply.txt', reply: content, protocol: 'auto' });
  };

  const paste = async (content: string): Promise<void> => {
    await lab.page.evaluate((copied) => navigator.clipboard.writeText(copied), content);
    await reply().press('ControlOrMeta+v');
  };

  it('lists the calls of a pasted reply, and marks them in its text', async () => {
    await parseAfter(lab, () => reply().fill(`Let me look.\n${CALL}\n${CALL}`));
    await calls().nth(1).waitFor();
    equal(await calls().count(), 2);
    ok((await calls().first().innerText()).includes('a.txt'));
    equal(await text().getByRole('button', { name: 'Call: read_file' }).count(), 2);
    equal(await text().locator('mark').first().innerText(), '<tool_call>');
    ok((await status().innerText()).includes('hermes: calls 2, malformed 0, warnings 0.'));
    ok((await status().innerText()).includes('Same result in chunks of 1, 7.'));
  });

  it('accepts thousands of lines pasted at the cursor', async () => {
    const lines = 'A line of text.\n'.repeat(3_000);
    await parseAfter(lab, () => reply().fill('begin end'));
    await reply().evaluate((box) => (box as HTMLTextAreaElement).setSelectionRange(6, 6));
    const asked = await parseAfter(lab, () => paste(lines));
    equal(asked.reply, `begin ${lines}end`);
    equal(await reply().inputValue(), asked.reply);
  });

  it('reads with the selected options', async () => {
    await parseAfter(lab, () => reply().fill(CALL));
    const asked = await parseAfter(
      lab,
      () => choose('VCP'),
      () => choose('none', 'Tools'),
      () => choose('lenient', 'Strictness'),
      () => choose('text', 'Recovery'),
      () => lab.page.getByRole('spinbutton', { name: 'Chunk size' }).fill('5'),
    );
    const { type: _, id: __, ...rest } = asked;
    deepEqual(rest, {
      ...{ reply: CALL, protocol: 'vcp', chunk: 5, tools: 'none' },
      ...{ strictness: 'lenient', recovery: 'text' },
    });
    await status().getByText('vcp: calls 0').waitFor();
    ok((await status().innerText()).includes('chunks of 1, 7, 5'));
  });

  it('keeps reply and options when the page is reloaded', async () => {
    await parseAfter(lab, () => reply().fill(CALL));
    await parseAfter(lab, () => choose('Hermes'));
    await lab.reload();
    await lab.answer('parse-settings', {
      protocols: [{ id: 'hermes', label: 'Hermes' }],
      strictness: 'strict',
      recovery: 'ask',
    });
    equal(await reply().inputValue(), CALL);
    equal(await protocol().inputValue(), 'hermes');
  });

  it('links each call and its place in the text, in both directions', async () => {
    const filler = 'A line of text.\n'.repeat(3_000);
    await parseAfter(lab, () => opened(`${CALL}\n${filler}${CALL}`));
    await calls().nth(1).waitFor();
    await calls().nth(1).getByRole('button').first().focus();
    const second = text().getByRole('button', { name: 'Call: read_file' }).nth(1);
    await lab.page.waitForFunction(() => {
      const own = [...document.querySelectorAll('.span-tag')].at(-1)?.getBoundingClientRect();
      const box = document.querySelector('.spanned-text')?.getBoundingClientRect();
      return own && box && own.top >= box.top && own.bottom <= box.bottom;
    });
    equal(await second.getAttribute('aria-current'), 'true');
    const first = text().getByRole('button', { name: 'Call: read_file' }).first();
    await first.focus();
    await lab.page.locator('.parsed-call').first().and(lab.page.locator('.parsed-marked')).waitFor();
  });

  it('says why something is not a call, and what to do', async () => {
    await parseAfter(lab, () => reply().fill(BROKEN));
    const problems = lab.page.getByRole('list', { name: 'Errors and warnings' }).getByRole('listitem');
    await problems.first().waitFor();
    const said = await problems.first().innerText();
    ok(said.includes('no_such_tool: unknown-tool'), said);
    ok(said.includes('You can: enable the tool'), said);
    equal(await text().getByRole('button', { name: 'Malformed call: no_such_tool' }).count(), 1);
  });

  it('offers the protocol in which a call was written', async () => {
    await parseAfter(lab, () => reply().fill(CALL));
    await parseAfter(
      lab,
      () => choose('VCP'),
      () => choose('text', 'Recovery'),
    );
    const asked = await parseAfter(lab, () =>
      lab.page.getByRole('button', { name: 'Parse as Hermes' }).click(),
    );
    equal(asked.protocol, 'hermes');
    await calls().first().waitFor();
  });

  it('compares all protocols, and switches to the picked one', async () => {
    await parseAfter(lab, () => reply().fill(CALL));
    await parseAfter(lab, () => choose('All side by side'));
    const row = lab.page.getByRole('row').filter({ hasText: 'Hermes' });
    await row.waitFor();
    ok((await row.innerText()).includes('(auto)'));
    ok((await row.innerText()).includes('1: read_file'));
    const asked = await parseAfter(lab, () => row.getByRole('button').click());
    equal(asked.protocol, 'hermes');
    await calls().first().waitFor();
  });

  it('shows the tool instructions, and the next message to the model', async () => {
    await parseAfter(lab, () => reply().fill(`Look:\n${CALL}`));
    await lab.page.getByText('Tool descriptions for the model').click();
    await lab.page
      .getByRole('group', { name: 'Tool descriptions for the model' })
      .getByText('<tools>', { exact: true })
      .waitFor();
    await lab.page.getByText('Next message to the model').click();
    await lab.page
      .getByRole('group', { name: 'user' })
      .getByText('Placeholder for the result of read_file.')
      .waitFor();
  });

  const form = (): ReturnType<typeof lab.page.getByRole> =>
    lab.page.locator('details').filter({ has: lab.page.locator('summary', { hasText: /^Form/ }) });

  it('says where an unreadable reply leaves the form, and goes there', async () => {
    await parseAfter(lab, () => opened(`${'A line of text.\n'.repeat(3_000)}${BROKEN}`));
    await form().getByText('The reply violates the form at line 3002, column 10.').waitFor();
    const allowed = form().getByRole('list', { name: 'Allowed here' }).getByRole('listitem');
    deepEqual(await allowed.allInnerTexts(), ['"read_file"']);
    await form().getByRole('button', { name: 'The reply violates the form' }).press('Enter');
    const tag = text().getByRole('button', { name: 'Form: violates the form' });
    equal(await tag.getAttribute('aria-current'), 'true');
    await lab.page.waitForFunction(() => {
      const own = document.querySelector('.span-tag-form')?.getBoundingClientRect();
      const box = document.querySelector('.spanned-text')?.getBoundingClientRect();
      return own && box && own.top >= box.top && own.bottom <= box.bottom;
    });
  });

  it('keeps the form collapsed if a reply is read well, until its place in the text is picked', async () => {
    await parseAfter(lab, () => reply().fill(CALL.replace('>\n{', '>{')));
    await calls().first().waitFor();
    equal(await form().getAttribute('open'), null);
    await form().getByText('violated at 1:12').waitFor();
    await text().getByRole('button', { name: 'Form: violates the form' }).click();
    await form().getByText('The reply violates the form at line 1, column 12.').waitFor();
    await form().locator('summary').press('Enter');
    await lab.page.waitForFunction(() => !document.querySelector('.reply-form'));
    await parseAfter(lab, () => reply().fill(CALL));
    await form().getByText('matches').waitFor();
    equal(await form().getAttribute('open'), null);
  });

  it('shows the grammar, and copies it', async () => {
    await parseAfter(lab, () => reply().fill(CALL));
    await form().locator('summary').click();
    const grammar = form().getByRole('group', { name: 'Grammar (GBNF)' });
    const shown = await grammar.innerText();
    ok(shown.startsWith('root ::= '), shown);
    await form().getByRole('button', { name: 'Copy grammar' }).click();
    await form().getByText('Copied').waitFor();
    const copied = await lab.page.evaluate(() => navigator.clipboard.readText());
    ok(copied.startsWith('root ::= ') && copied.includes('read-file ::= '), copied);
    equal(await form().getByRole('group', { name: 'JSON Schema' }).count(), 0);
    await parseAfter(lab, () => choose('Native'));
    await form().getByText('This protocol has no grammar: calls are sent through the API.').waitFor();
  });

  it('makes hidden characters visible', async () => {
    await parseAfter(lab, () => reply().fill('a\u202eb'));
    await text().getByText('a⟨U+202E⟩b').waitFor();
  });

  it('loads a file, and says where the reply comes from', async () => {
    await parseAfter(lab, () => opened(CALL));
    equal(await reply().inputValue(), CALL);
    await lab.page.getByText('reply.txt').waitFor();
  });

  it('names a reply from the conversation until it is changed', async () => {
    const asked = await parseAfter(lab, async () => {
      await lab.page.getByRole('button', { name: 'From the conversation…' }).click();
      await lab.answer('pick-reply', { name: 'a reply', reply: CALL, protocol: 'hermes', source: 3 });
    });
    equal(asked.source, 3);
    equal(asked.protocol, 'hermes');
    equal((await parseAfter(lab, () => reply().fill(`${CALL} `))).source, undefined);
  });

  it('says what could not be opened', async () => {
    await lab.page.getByRole('button', { name: 'Open file…' }).click();
    await lab.answer('open-reply', { problem: 'a.bin is larger than 8 MB.' });
    await status().getByText('a.bin is larger than 8 MB.').waitFor();
  });

  it('lists the hard cases, runs the filtered ones, and opens one', async () => {
    await lab.page.getByText('Hard cases').first().click();
    await lab.answer('list-cases', [
      { number: 0, protocol: 'vcp', name: 'reads a call' },
      { number: 1, protocol: 'vcp', name: 'keeps a fence' },
      { number: 2, protocol: 'json', name: 'reads a call' },
    ]);
    await lab.page.getByRole('searchbox', { name: 'Filter cases' }).fill('vcp');
    await lab.page.getByRole('button', { name: 'Run 2 cases' }).click();
    deepEqual((await lab.received('run-cases')).cases, [0, 1]);
    await lab.answer('run-cases', [
      { number: 0, expected: 'read {}', actual: 'read {}' },
      { number: 1, expected: 'text "a"', actual: 'text "b"' },
    ]);
    await lab.page.getByText('1 of 2 passed.').waitFor();
    const rows = lab.page.getByRole('list', { name: 'Hard cases' }).getByRole('listitem');
    ok((await rows.nth(0).innerText()).includes('passed'));
    ok((await rows.nth(1).innerText()).includes('text "b"'));
    const asked = await parseAfter(lab, async () => {
      await rows.nth(0).getByRole('button').click();
      await lab.answer('open-case', {
        ...{ name: 'reads a call', reply: CALL, protocol: 'hermes' },
        case: { tools: ['read'], strictness: 'strict', recover: false, expect: 'nothing' },
      });
    });
    deepEqual([asked.tools, asked.strictness, asked.recovery], [['read'], 'strict', 'text']);
    await lab.page.getByText('The case expects').last().waitFor();
  });

  it('saves the current reply as a case', async () => {
    await parseAfter(lab, () => reply().fill(CALL));
    await calls().first().waitFor();
    await lab.page.getByRole('button', { name: 'Save as case…' }).click();
    equal((await lab.received('save-case')).reply, CALL);
    await lab.answer('save-case', { saved: 'hermes-case.yaml' });
    await status().getByText('Saved as hermes-case.yaml.').waitFor();
  });

  it('shows a reply of 5 MB without putting all of it into the page', async () => {
    const long = `${'A line of text that goes on for a while.\n'.repeat(125_000)}${CALL}`;
    await parseAfter(lab, () => opened(long));
    await calls().first().waitFor();
    ok(await reply().evaluate((box) => (box as HTMLTextAreaElement).readOnly));
    ok((await lab.page.locator('.line').count()) < 2_000);
    await calls().first().getByRole('button').first().click();
    await text().getByRole('button', { name: 'Call: read_file' }).waitFor();
    const inSight = await text().evaluate((box) => box.scrollTop > 100_000);
    ok(inSight);
    const pasted = await parseAfter(lab, () => paste(`${long}\n`));
    equal(pasted.reply.length, long.length + 1);
  });
});

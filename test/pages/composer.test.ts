import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { replyEnd, roundStart, runStart } from '../support/agent/chat-events';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { samplePickers, type ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';
import { openPicker, pickerChip, pickIn } from '../support/pages/pickers';

const effort = {
  value: 'default',
  options: ['default', 'none', 'low', 'medium', 'high'].map((value) => ({ value, label: value })),
};

/** The size of a narrow side bar on a small screen. */
const SMALL = { width: 300, height: 400 };

describe('message box', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const button = (name: string): Locator => chat.page.getByRole('button', { name, exact: true });
  const message = (): Locator => chat.page.getByRole('textbox', { name: 'Message' });
  const menu = (): Locator => chat.page.getByRole('menu', { name: 'Attach' });
  const heightOf = (target: Locator): Promise<number> =>
    target.evaluate((element) => element.getBoundingClientRect().height);

  it('leaves at least 60 % of a small page to the conversation', async () => {
    await open([runStart('go'), roundStart, { type: 'text', text: 'an answer' }, replyEnd], SMALL);
    await chat.send({
      type: 'context',
      context: { items: [{ source: 'editor', label: 'a.ts', title: 'a.ts is open' }], withEditor: true },
    });
    const log = await heightOf(chat.page.getByRole('log', { name: 'Conversation' }));
    ok(log >= 0.6 * SMALL.height, `${log} of ${SMALL.height}`);
    equal(await chat.page.evaluate(() => document.documentElement.scrollWidth), SMALL.width);
  });

  it('is one line that grows with its text, beside Attach and Send', async () => {
    await open([], SMALL);
    const before = await heightOf(message());
    for (const name of ['Attach', 'Send']) {
      const [box, other] = await Promise.all([message().boundingBox(), button(name).boundingBox()]);
      ok(box && other && other.y >= box.y && other.y + other.height <= box.y + box.height, name);
    }
    await message().fill('one\ntwo\nthree');
    ok((await heightOf(message())) > before + 20);
  });

  for (const [name, values] of [
    ['Model', ['Model', 'Protocol']],
    ['Agent', ['Agent', 'Mode']],
  ] as const) {
    it(`shows the choices of ${values.join(' and ')} on a button, and changes them in its panel`, async () => {
      await open([]);
      const [first, second] = values.map(
        (each) =>
          samplePickers[
            each === 'Model'
              ? 'model'
              : each === 'Protocol'
                ? 'protocol'
                : each === 'Agent'
                  ? 'agent'
                  : 'mode'
          ],
      );
      const text = [first, second].map((picker) => picker?.options[0]?.label).join(' · ');
      equal((await pickerChip(chat.page, name).innerText()).trim(), text);
      const picker = await openPicker(chat.page, name);
      await picker.waitFor();
      ok(await picker.evaluate((element) => element === document.activeElement));
      const value = (await picker.locator('option').nth(1).getAttribute('value')) ?? '';
      await picker.selectOption(value);
      deepEqual(await chat.received('pick'), { type: 'pick', picker: name.toLowerCase(), value });
      await chat.page.keyboard.press('Escape');
      equal(await picker.count(), 0);
      ok(await pickerChip(chat.page, name).evaluate((element) => element === document.activeElement));
    });
  }

  it('asks for slow lists when the panel opens', async () => {
    await open([]);
    await openPicker(chat.page, 'Model');
    deepEqual(await chat.received('open-picker'), { type: 'open-picker', picker: 'model' });
  });

  it('closes a panel by a click elsewhere', async () => {
    await open([]);
    const picker = await openPicker(chat.page, 'Protocol');
    await message().click();
    equal(await picker.count(), 0);
  });

  it('has an effort of thinking only for models that take one', async () => {
    await open([]);
    const picker = await openPicker(chat.page, 'Thinking effort');
    equal(await picker.count(), 0);
    await chat.send({ type: 'pickers', pickers: { ...samplePickers, effort } });
    deepEqual(await picker.locator('option').allInnerTexts(), ['default', 'none', 'low', 'medium', 'high']);
    await pickIn(chat.page, 'Thinking effort', 'high');
    deepEqual(await chat.received('pick'), { type: 'pick', picker: 'effort', value: 'high' });
  });

  for (const [item, what] of [
    ['Files…', 'files'],
    ['Folder…', 'folder'],
    ['Image…', 'image'],
    ['Selection', 'selection'],
    ['Changes', 'changes'],
    ['Past conversation…', 'conversation'],
  ] as const) {
    it(`lets the host attach ${what}`, async () => {
      await open([]);
      await button('Attach').click();
      await menu().getByRole('menuitem', { name: item, exact: true }).click();
      deepEqual(await chat.received('attach'), { type: 'attach', what });
      equal(await menu().count(), 0);
    });
  }

  for (const [item, mention] of [
    ['Problems', '@problems '],
    ['Terminal output', '@terminal '],
  ] as const) {
    it(`mentions ${item} in the message`, async () => {
      await open([]);
      await message().fill('see');
      await button('Attach').click();
      await menu().getByRole('menuitem', { name: item, exact: true }).click();
      equal(await message().inputValue(), `see ${mention}`);
    });
  }

  it('attaches by keyboard alone', async () => {
    await open([]);
    await button('Attach').focus();
    await chat.page.keyboard.press('Enter');
    await menu().waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await chat.page.keyboard.press(key);
    deepEqual(await chat.received('attach'), { type: 'attach', what: 'image' });
    await button('Attach').focus();
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.press('Escape');
    equal(await menu().count(), 0);
    ok(await button('Attach').evaluate((element) => element === document.activeElement));
  });

  it('opens the documentation from its help', async () => {
    await open([]);
    await message().fill('/help');
    await message().press('Enter');
    await message().press('Enter');
    await button('All documentation').click();
    deepEqual(await chat.received('open-docs'), { type: 'open-docs', page: 'README' });
  });

  for (const opened of ['Attach', 'Model', 'Agent'] as const) {
    it(`has no accessibility violations with ${opened} open, and fits a narrow page`, async () => {
      await open([], SMALL);
      await chat.send({ type: 'pickers', pickers: { ...samplePickers, effort } });
      if (opened === 'Attach') await button('Attach').click();
      else await openPicker(chat.page, opened);
      deepEqual(await violationsInAnyTheme(chat), []);
      const panel = opened === 'Attach' ? menu() : chat.page.getByRole('dialog');
      const box = await panel.boundingBox();
      ok(box && box.x >= 0 && box.x + box.width <= SMALL.width && box.y >= 0, JSON.stringify(box));
    });
  }
});

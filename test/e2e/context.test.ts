import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { FakeEndpoint } from '../support/servers/fake-endpoint';
import { eventually, lookOnce } from '../support/eventually';
import { png } from '../support/images';
import { ParleyWindow, until } from './parley-window';

const RULES = 'Always answer in haiku.';
const PICTURE = png(8, 8);

const FILES = {
  'AGENTS.md': `${RULES}\n`,
  'src/parser.ts': 'one\ntwo\nthree\n',
  'my notes.txt': 'a plum\n',
  '.env': 'KEY=hunter2\n',
};

for (const isTrusted of [true, false]) {
  describe(`context of a message in ${isTrusted ? 'a trusted window' : 'Restricted Mode'}`, () => {
    let endpoint: FakeEndpoint;
    let window: ParleyWindow;

    before(async () => {
      endpoint = await FakeEndpoint.start();
      const profile = {
        id: 'local',
        provider: 'openai',
        baseUrl: endpoint.baseUrl,
        model: 'm',
        protocol: 'vcp',
      };
      window = await ParleyWindow.open({
        files: FILES,
        isTrusted,
        settings: {
          'parley.models': [profile, { ...profile, id: 'seeing', vision: true }],
          'git.enabled': false,
        },
      });
      writeFileSync(path.join(window.folder, 'shot.png'), PICTURE);
      await window.pick('Model', 'local');
    });
    beforeEach(async () => {
      endpoint.reset();
      await window.startNew();
    });
    after(async () => {
      await window.close();
      await endpoint.stop();
    });

    const box = (): Locator => window.page.getByRole('textbox', { name: 'Message' });
    const options = (): Locator => window.page.getByRole('listbox', { name: 'Mentions' }).getByRole('option');
    const toSend = (): Locator =>
      window.page.getByRole('list', { name: 'Sent with the message' }).getByRole('listitem');
    const attached = (): Locator => window.log.getByRole('list', { name: 'Attached' }).getByRole('listitem');
    const labels = async (): Promise<string> => (await toSend().allInnerTexts()).join(', ');
    const toggle = (): Locator => window.page.getByRole('button', { name: 'Include editor context' });

    /** Returns the messages of the last request, instructions first. */
    function told(): readonly { readonly role: string; readonly content: unknown }[] {
      return endpoint.requests.at(-1)?.body.messages ?? [];
    }

    async function ask(text: string): Promise<void> {
      await window.send(text);
      await window.idle();
    }

    async function openFile(name: string): Promise<void> {
      const { page } = window.workbench;
      await page.keyboard.press('Control+P');
      const input = page.locator('.quick-input-widget input').first();
      await input.fill(name);
      await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).waitFor();
      // Earlier keys would go elsewhere.
      await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    }

    if (!isTrusted) {
      it('G2.rules: loads no rules, and shows none', async () => {
        await ask('hello');
        const [system] = told();
        assert.equal(system?.role, 'system');
        assert.ok(!JSON.stringify(told()).includes(RULES));
        await eventually(async () => assert.equal(await toSend().count(), 0));
      });

      it('G2.editor: attaches the names of open files but no selection', async () => {
        await openFile('parser.ts');
        await window.workbench.page.keyboard.press('Control+A');
        await until(labels, /^parser\.ts$/);
        await ask('hello');
        assert.equal(
          told().at(-1)?.content,
          'hello\n\n<attached name="Editor">\nActive file: src/parser.ts\n</attached>',
        );
      });

      it('G6.mention: attaches nothing from outside, and does not ask', async () => {
        await ask(`@file:${path.dirname(window.folder)}`);
        await eventually(async () =>
          assert.match((await attached().allInnerTexts()).join(), /outside the untrusted workspace/),
        );
      });
      return;
    }

    it('adds rules to the instructions, the same bytes each time, and shows them', async () => {
      await until(labels, /^AGENTS\.md$/);
      await ask('hello');
      const [system] = told();
      const rules = /<rules file="AGENTS\.md">\nAlways answer in haiku\.\n<\/rules>$/;
      assert.match(String(system?.content), rules);
      await ask('again');
      assert.deepEqual(told()[0], system);
      assert.equal(told()[1]?.content, 'hello');
    });

    it('completes a mention by keyboard and sends the file byte for byte', async () => {
      await box().click();
      await box().pressSequentially('Read @fi');
      await options().filter({ hasText: '@file:' }).waitFor();
      await box().press('Enter');
      await box().pressSequentially('notes');
      const option = options().filter({ hasText: 'my notes.txt' });
      await option.waitFor();
      await eventually(async () => assert.equal(await option.getAttribute('aria-selected'), 'true'));
      await box().press('Tab');
      await eventually(async () => assert.equal(await box().inputValue(), 'Read @file:"my notes.txt" '));
      await box().press('Enter');
      await attached().filter({ hasText: 'my notes.txt' }).waitFor();
      await window.idle();
      assert.equal(
        told().at(-1)?.content,
        'Read @file:"my notes.txt" \n\n<attached name="my notes.txt">\na plum\n\n</attached>',
      );
    });

    it('offers no secret file', async () => {
      await box().click();
      await box().pressSequentially('@file:e');
      await options().first().waitFor();
      assert.doesNotMatch((await lookOnce(options().allInnerTexts())).join(), /env/);
      await box().fill('');
    });

    it('G9.mention: sends a secret file only after confirmation, but the message in any case', async () => {
      const send = async (text: string, answer: string): Promise<void> => {
        await box().fill(text);
        await box().press('Enter');
        await window.answer('Send .env to the model?', answer);
        await window.log.getByText(text).waitFor();
        await window.idle();
      };
      await send('look at @file:.env now', 'Cancel');
      await eventually(async () =>
        assert.match((await attached().allInnerTexts()).join(), /\.env\s+You did not allow it/),
      );
      assert.equal(told().at(-1)?.content, 'look at @file:.env now');
      assert.ok(!JSON.stringify(endpoint.requests).includes('hunter2'));
      await send('then at @file:.env again', 'Attach');
      assert.match(told().at(-1)?.content as string, /<attached name="\.env">\nKEY=hunter2/);
    });

    it('sends a picture to a model that sees images, and only its name to one that does not', async () => {
      await ask('what is @file:shot.png ?');
      await eventually(async () =>
        assert.match((await attached().allInnerTexts()).join(), /local cannot read images/),
      );
      assert.equal(told().at(-1)?.content, 'what is @file:shot.png ?');
      await window.startNew();
      await window.pick('Model', 'seeing');
      await ask('what is @file:shot.png ?');
      const picture = `data:image/png;base64,${PICTURE.toString('base64')}`;
      assert.deepEqual(told().at(-1)?.content, [
        { type: 'text', text: 'what is @file:shot.png ?' },
        { type: 'image_url', image_url: { url: picture } },
      ]);
      // The conversation continues with a model that cannot see images.
      await window.pick('Model', 'local');
      await ask('and now?');
      assert.match(JSON.stringify(told()), /An image is left out: this model cannot see images/);
      assert.ok(!JSON.stringify(told()).includes(picture));
    });

    it('attaches what the editor shows, until the user turns it off', async () => {
      await openFile('parser.ts');
      const { page } = window.workbench;
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+ArrowDown');
      await until(labels, /^AGENTS\.md, parser\.ts, parser\.ts:1$/);
      await ask('explain');
      assert.equal(
        told().at(-1)?.content,
        'explain\n\n<attached name="Editor">\nActive file: src/parser.ts\n</attached>\n\n<attached name="src/parser.ts:1">\none\n\n</attached>',
      );
      const before = told();
      await ask('more');
      assert.equal(told().at(-1)?.content, 'more\n\n<attached name="src/parser.ts:1">\none\n\n</attached>');
      assert.deepEqual(told().slice(0, before.length), before);
      await toggle().click();
      await until(labels, /^AGENTS\.md$/);
      await eventually(async () => assert.equal(await toggle().getAttribute('aria-pressed'), 'false'));
      await ask('enough');
      assert.equal(told().at(-1)?.content, 'enough');
      await toggle().click();
      await until(labels, /parser\.ts/);
    });

    // The last test, because it moves the chat.
    it('turns a file dragged from the explorer with Shift into a mention', async () => {
      const { page } = window.workbench;
      await window.moveToOtherSide();
      await window.workbench.runCommand('View: Show Explorer');
      const file = await page.getByRole('treeitem', { name: 'my notes.txt' }).boundingBox();
      const target = await box().boundingBox();
      assert.ok(file && target);
      await page.mouse.move(file.x + 60, file.y + 10);
      await page.mouse.down();
      // Without Shift, VS Code does not pass the drag to webviews.
      await page.keyboard.down('Shift');
      await page.mouse.move(file.x + 90, file.y + 30, { steps: 5 });
      await page.mouse.move(target.x + 40, target.y + 10, { steps: 10 });
      await page.mouse.up();
      await page.keyboard.up('Shift');
      await until(() => box().inputValue(), /^@file:"my notes\.txt" $/);
    });
  });
}

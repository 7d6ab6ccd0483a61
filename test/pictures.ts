// `npm run pictures`: makes the pictures of the README, from states of the pages and from a window with the demo
// model.
import path from 'node:path';
import { until, ParleyWindow } from './e2e/parley-window';
import { launchChromium } from './hosts/chromium';
import { repository } from './hosts/repository';
import { everyState } from './support/pages/every-state';
import type { HarnessOptions } from './support/pages/page-harness';

const media = path.join(repository, 'media');

async function main(): Promise<void> {
  await pagePicture('edit waits', { file: 'chat-light.png', theme: 'light', width: 460, height: 640 });
  await pagePicture('plan and sub-agent', { file: 'chat-dark.png', theme: 'dark', width: 460, height: 640 });
  await pagePicture('a reply in the lab', { file: 'lab.png', theme: 'light', width: 900, height: 720 });
  await windowPicture();
}

async function pagePicture(
  name: string,
  { file, ...options }: HarnessOptions & { readonly file: string },
): Promise<void> {
  const state = everyState.find((each) => each.name === name);
  if (!state) throw new Error(`No page has the state ${name}.`);
  const browser = await launchChromium();
  try {
    const shown = await state.show(browser, options);
    await shown.page.screenshot({ path: path.join(media, file) });
  } finally {
    await browser.close();
  }
}

async function windowPicture(): Promise<void> {
  const window = await ParleyWindow.open({
    files: {
      'README.md': '# Shopping\n\nA list for the weekend, and a greeting.\n',
      'notes.txt': 'To buy\n\napples\nbread\ncheese\n',
    },
    settings: {
      'git.enabled': false,
    },
    viewport: { width: 1100, height: 1050 },
  });
  try {
    const { page } = window.workbench;
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').first().fill('README.md');
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: /^README\.md/ }).waitFor();
    await window.send("read notes.txt then replace 'apples' with 'pears' in notes.txt");
    const run = window.button('Run');
    await until(async () => String(await run.isEnabled()), /true/);
    const side = await page.locator('.part.sidebar').boundingBox();
    if (!side) throw new Error('The window has no side bar.');
    await page.mouse.move(side.x + side.width, 400);
    await page.mouse.down();
    await page.mouse.move(500, 400, { steps: 5 });
    await page.mouse.up();
    // Removes the focus frame from the last clicked element.
    await page.mouse.click(800, 700);
    await page.waitForTimeout(1_000);
    await window.workbench.screenshot(path.join(media, 'screenshot.png'));
  } finally {
    await window.close();
  }
}

void main();

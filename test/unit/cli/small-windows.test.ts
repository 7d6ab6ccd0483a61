import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentEvent } from '../../../src/core/words/events';
import type { Protocol } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';
import { caseSample } from '../../hosts/random-cases';
import { requestText, messageText, countTokens, type RequestBody } from '../../support/measure/token-counter';
import { runCli } from '../../support/processes/run-cli';
import {
  answerWith,
  FakeEndpoint,
  streamParts,
  streamText,
  type EndpointReply,
} from '../../support/servers/fake-endpoint';
import { readJob, writeJobFolder } from '../../support/agent/scripted-jobs';

const SUMMARY = 'Summarize the earlier conversation';
const SMALL = 16_384;
const ROOMY = 32_768;

/** The result of a run. */
interface Ran {
  readonly code: number | null;
  readonly events: readonly AgentEvent[];
  readonly stderr: string;
  /** Tokens of the longest accepted request. */
  readonly longest: number;
  readonly refused: number;
  readonly summaries: number;
}

describe('reading thirty files', () => {
  let folder: string;
  let endpoint: FakeEndpoint;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-windows-'));
    writeJobFolder(folder);
    endpoint = await FakeEndpoint.start();
  });
  afterEach(async () => {
    await endpoint.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A server with that window, and a model that does the job with whatever part of it is shown. */
  const run = async (protocol: Protocol, window: number, profile: object): Promise<Ran> => {
    let longest = 0;
    let refused = 0;
    let summaries = 0;
    let round = 0;
    endpoint.always(({ body }): EndpointReply => {
      const tokens = tokensOf(body);
      endpoint.promptTokens = tokens;
      if (tokens > window) {
        refused++;
        return answerWith(400, 'application/json', tooLong(window, tokens));
      }
      longest = Math.max(longest, tokens);
      if (body.messages.at(-1)?.content.includes(SUMMARY) === true) {
        summaries++;
        return streamText(`The first ${round} parts in src were read; the next one comes now.`);
      }
      return streamParts(protocol, readJob.rounds[round++] ?? []);
    });
    const file = path.join(folder, 'profile.json');
    writeFileSync(
      file,
      JSON.stringify({ provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm', ...profile }),
    );
    const { code, stdout, stderr } = await runCli([
      ...['run', '--workspace', folder, '--profile', file, '--protocol', protocol.id],
      ...['--forced-form', 'off', '--json', readJob.task],
    ]);
    const lines = stdout.trim().split('\n');
    // SAFETY: `--json` prints events.
    const events = lines.map((line) => JSON.parse(line) as AgentEvent);
    return { code, events, stderr, longest, refused, summaries };
  };

  const assertDone = ({ code, events, stderr }: Ran): void => {
    assert.equal(code, 0, stderr);
    const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result.status] : []));
    assert.deepEqual(
      results,
      readJob.rounds.slice(1).map(() => 'success'),
    );
    assert.equal(answerIn(events), readJob.answer);
  };

  for (const protocol of caseSample(protocols)) {
    it(`fits into ${SMALL} tokens with summaries, in ${protocol.id}`, async () => {
      const ran = await run(protocol, SMALL, { contextWindow: SMALL });
      assertDone(ran);
      assert.equal(ran.refused, 0);
      assert.ok(ran.summaries > 0 && ran.summaries <= MOST_SUMMARIES, `${ran.summaries} summaries`);
    }).timeout(60_000);

    it(`fits into ${ROOMY} tokens unchanged, in ${protocol.id}`, async () => {
      const ran = await run(protocol, ROOMY, { contextWindow: ROOMY });
      assertDone(ran);
      assert.deepEqual([ran.refused, ran.summaries], [0, 0]);
      assert.deepEqual(
        ran.events.filter(({ type }) => type === 'compaction-start' || type === 'warning'),
        [],
      );
      assert.ok(ran.longest + REPLY <= ROOMY, `${ran.longest} tokens`);
    }).timeout(60_000);

    it(`goes on in ${SMALL} tokens without a declared window, in ${protocol.id}`, async () => {
      const ran = await run(protocol, SMALL, {});
      assertDone(ran);
      assert.equal(ran.refused, 1);
      assert.ok(ran.summaries > 0 && ran.summaries <= MOST_SUMMARIES, `${ran.summaries} summaries`);
    }).timeout(60_000);
  }
});

/** Kept free for it. */
const REPLY = 4_096;

/** Each makes room for half of a window. */
const MOST_SUMMARIES = 4;

const tokensByText = new Map<string, number>();

/** Counted message by message, because each request repeats the earlier messages. */
function tokensOf({ tools, messages }: RequestBody): number {
  const texts = [...(tools ? [requestText({ tools, messages: [] })] : []), ...messages.map(messageText)];
  return texts.reduce((sum, text) => {
    const tokens = tokensByText.get(text) ?? countTokens(`${text}\n`);
    tokensByText.set(text, tokens);
    return sum + tokens;
  }, 0);
}

/** llama.cpp's wording. */
function tooLong(window: number, tokens: number): string {
  const message = `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`;
  return JSON.stringify({
    error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: window },
  });
}

/** What the reply to the last request says. */
function answerIn(events: readonly AgentEvent[]): string {
  const last = events.findLastIndex(({ type }) => type === 'round-start');
  return events
    .slice(last)
    .flatMap((event) => (event.type === 'text' ? [event.text] : []))
    .join('')
    .trim();
}

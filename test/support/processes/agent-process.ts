import { openSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Session } from '../../../src/core/session';
import { openAiModel } from '../../../src/models/openai';
import { judgeCall } from '../../../src/policy/approvals';
import { findProtocol } from '../../../src/protocols';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { SessionStore } from '../../../src/sessions/session-store';
import { SessionWriter } from '../../../src/sessions/session-writer';
import { testConfig } from '../agent/test-session';
import { noBudget } from '../agent/no-budget';
import { ScratchWorkspace } from '../workspace/scratch-workspace';

export interface AgentProcessOptions {
  /** Holds `sessions` and `workspace`, and the log of events. */
  readonly folder: string;
  /** The session to continue; undefined starts one. */
  readonly title?: string;
  /** Receives a line of JSON for every event after the writer has got it. */
  readonly acknowledged: string;
  readonly baseUrl: string;
  readonly protocol: string;
  readonly text: string;
}

/**
 * A process like the extension host that continues a session with the real store, loop, tools, model client and
 * writer, until it is killed or its run ends: `node agent-process.js OPTIONS`, the options as JSON.
 */
async function main({ folder, title, acknowledged, ...options }: AgentProcessOptions): Promise<void> {
  const sessions = new NodeSessionFolder(path.join(folder, 'sessions'));
  const store = new SessionStore(sessions);
  const known = (await store.list()).find((each) => each.title === title);
  const stored = known && (await store.load(known.id));
  const writer = new SessionWriter(sessions, stored?.start, {
    workspace: '',
    redact: (text) => text,
    onFile: () => undefined,
    onError: fail,
    // Small enough to be reached, so that blobs and further files are written, too.
    limits: { record: 3_000, file: 100_000 },
  });
  const protocol = findProtocol(options.protocol);
  if (!protocol) throw new Error(`There is no protocol ${options.protocol}.`);
  const workspace = ScratchWorkspace.over(realpathSync(path.join(folder, 'workspace')), {
    commandRules: () => ({ allow: ['seq'], deny: [] }),
  });
  const config = { ...testConfig, maxIterations: 500, timeout: 30_000 };
  const session = new Session(
    {
      prepareRun: async () => ({
        model: {
          client: openAiModel({
            name: 'm',
            model: 'm',
            baseUrl: options.baseUrl,
            apiKey: async () => undefined,
          }),
          window: { reply: 0, count: (text) => text.length / 4 },
        },
        prompt: { protocol, instructions: 'Be good.' },
        tools: { offer: workspace.registry, config: () => config },
        limits: { rounds: () => config.maxIterations, budget: () => noBudget },
      }),
      judge: (request) => judgeCall(request, { ...config, isTrusted: true }, [{ type: 'edits-in-session' }]),
      onError: fail,
    },
    stored?.events,
  );
  const told = openSync(acknowledged, 'a');
  session.onEvent((event) => {
    writer.add(event);
    writeSync(told, `${JSON.stringify(event)}\n`);
  });
  await session.send(options.text);
  writer.close();
}

function fail(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}

const [, self, options] = process.argv;
// SAFETY: only its test starts this, with these options.
if (self === __filename && options !== undefined) void main(JSON.parse(options) as AgentProcessOptions);

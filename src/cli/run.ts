import path from 'node:path';
import { visibleText } from '../base/text';
import { buildInstructions } from '../core/run/instructions';
import { Session } from '../core/session';
import type { AgentEvent } from '../core/words/events';
import type { Model } from '../core/words/model';
import { bounded } from '../models/bounded';
import { demoModel } from '../models/demo';
import { contextWindow } from '../models/profiles';
import { retrying } from '../models/retrying';
import { environmentRoute } from '../node/endpoint/environment-proxy';
import { createTransport } from '../node/endpoint/transport';
import { countTokens } from '../node/tokens';
import { findProtocol, renderReply } from '../protocols';
import { callsEndThinking, chooseProtocol } from '../protocols/choose';
import { defaultBudget, defaultConfig, openWorkspace, workspaceOptions } from './built-in';
import { readOptions, required, UsageError } from './command-line';

/** `parley run`: the loop without an editor. What would ask is refused, and the reason is the result. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    ...workspaceOptions,
    model: { type: 'string' },
    'base-url': { type: 'string' },
    'model-name': { type: 'string' },
    'api-key-env': { type: 'string', default: 'PARLEY_API_KEY' },
    protocol: { type: 'string', default: 'auto' },
    json: { type: 'boolean' },
  });
  const [task] = positionals;
  if (task === undefined || positionals.length > 1)
    throw new UsageError('give the task as one word in quotes.');
  const hints = { model: values['model-name'] };
  const protocol = findProtocol(
    values.protocol === 'auto' ? chooseProtocol('auto', hints).id : values.protocol,
  );
  if (!protocol) {
    throw new UsageError(`there is no protocol "${values.protocol}".`);
  }
  const model = await openModel(values);
  const workspace = await openWorkspace(values, values['api-key-env']);
  const session = new Session({
    prepareRun: async () => ({
      model,
      protocol,
      callsEndThinking: callsEndThinking(values['model-name'] ?? ''),
      window: contextWindow({ id: 'run', provider: 'openai' }, countTokens),
      instructions: buildInstructions({
        roots: [path.basename(path.resolve(values.workspace ?? ''))],
        platform: process.platform,
        hasTools: true,
        instructions: '',
      }),
      tools: workspace.tools,
      config: () => defaultConfig,
      budget: () => defaultBudget,
    }),
    judge: workspace.judge,
    onError: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  });
  let code = 1;
  session.onEvent((event) => {
    if (values.json) process.stdout.write(`${JSON.stringify(event)}\n`);
    else print(event);
    if (event.type === 'run-end') code = exitCode(event);
  });
  workspace.signal.addEventListener('abort', () => session.stop());
  try {
    await session.send(task);
  } finally {
    await workspace.close();
  }
  return code;
}

async function openModel(values: {
  model?: string | undefined;
  'base-url'?: string | undefined;
  'model-name'?: string | undefined;
  'api-key-env': string;
}): Promise<Model> {
  const baseUrl = values['base-url'];
  if (baseUrl === undefined) {
    if (required(values.model, '--model or --base-url') !== 'demo') {
      throw new UsageError(
        `there is no model "${values.model ?? ''}"; use "demo", or --base-url and --model-name.`,
      );
    }
    if (values['model-name'] !== undefined) {
      throw new UsageError('--model-name needs --base-url. Give the address of the server as well.');
    }
    return demoModel(renderReply, 0);
  }
  if (values.model !== undefined) {
    throw new UsageError('--model and --base-url exclude each other. Name the model with --model-name.');
  }
  if (!URL.canParse(baseUrl)) throw new UsageError(`"${baseUrl}" is no address.`);
  const model = required(values['model-name'], '--model-name');
  const key = process.env[values['api-key-env']];
  const { openAiModel } = await import('../models/openai');
  const fetch = createTransport(environmentRoute(process.env));
  return retrying(bounded(openAiModel({ name: model, baseUrl, model, apiKey: async () => key, fetch })));
}

function print(event: AgentEvent): void {
  switch (event.type) {
    case 'text':
      process.stdout.write(visibleText(event.text));
      break;
    case 'reasoning-end':
      process.stderr.write('\n[What was written so far was the reasoning of the model.]\n');
      break;
    case 'retry':
      process.stderr.write(visibleText(`${event.message}\n`));
      break;
    case 'warning':
      process.stderr.write(visibleText(`[${event.diagnostic.code}] ${event.diagnostic.message}\n`));
      break;
    case 'progress':
      if (event.stage === 'loading') process.stderr.write('The server is loading the model.\n');
      if (event.stage === 'busy') process.stderr.write('The server is busy with other requests.\n');
      break;
    case 'reply-end':
      process.stdout.write('\n');
      break;
    case 'tool-end': {
      const { toolName, status, durationMs, result } = event.result;
      const why = status === 'success' ? '' : `: ${result}`;
      process.stderr.write(
        visibleText(`[${toolName || 'malformed call'}] ${status}, ${durationMs} ms${why}\n`),
      );
      break;
    }
    case 'run-end':
      if ('message' in event.outcome) process.stderr.write(`${event.outcome.message}\n`);
      break;
    default:
      break;
  }
}

function exitCode({ outcome }: Extract<AgentEvent, { type: 'run-end' }>): number {
  switch (outcome.type) {
    case 'done':
      return 0;
    case 'budget':
      return 3;
    case 'aborted':
    case 'failed':
      return 1;
  }
}

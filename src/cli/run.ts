import path from 'node:path';
import { prepareRun } from '../agent/prepare-run';
import { visibleText } from '../base/text';
import { Session } from '../core/session';
import type { AgentEvent } from '../core/words/events';
import { countTokens } from '../node/tokens';
import { settings } from '../manifest/settings';
import type { ModelProfile } from '../models/profiles';
import { findProtocol } from '../protocols';
import { defaultBudget, defaultConfig, openWorkspace, workspaceOptions } from './built-in';
import { knownProtocols, readOptions, UsageError } from './command-line';
import { said } from './language';
import { accessTo, askedProfile, profileOf, secretVariables, withForcedForm } from './run-profile';

/** `parley run`: the loop without an editor. Anything that would ask is refused, with the reason as the result. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, {
    ...workspaceOptions,
    model: { type: 'string' },
    'base-url': { type: 'string' },
    'model-name': { type: 'string' },
    profile: { type: 'string', multiple: true },
    'api-key-env': { type: 'string', default: 'PARLEY_API_KEY' },
    protocol: { type: 'string', default: 'auto' },
    json: { type: 'boolean' },
    'forced-form': { type: 'string' },
  });
  const [task] = positionals;
  if (task === undefined || positionals.length > 1)
    throw new UsageError('give the task as one word in quotes.');
  if (values.protocol !== 'auto' && !findProtocol(values.protocol)) {
    throw new UsageError(
      `there is no protocol "${values.protocol}". Use auto, or one of: ${knownProtocols()}.`,
    );
  }
  const [firstFile, ...otherFiles] = values.profile ?? [];
  const wanted = withForcedForm(profileOf({ ...values, profile: firstFile }), values['forced-form']);
  const access = await accessTo(wanted, values['api-key-env'], [path.resolve(values.workspace ?? '')]);
  const others = otherFiles.map((file) => profileOf({ profile: file }));
  const withheld = [wanted, ...others].flatMap((each) => secretVariables(each, values['api-key-env']));
  const workspace = await openWorkspace(values, withheld);
  const profile = await askedProfile(wanted, access, workspace.signal, (sentence) =>
    process.stderr.write(visibleText(`${said(sentence)}\n`)),
  );
  const fallbacks = await Promise.all(
    others.map(async (each) => ({
      profile: each,
      // The key is the first server's.
      access: await accessTo(each, isSameServer(wanted, each) ? values['api-key-env'] : '', [
        path.resolve(values.workspace ?? ''),
      ]),
    })),
  );
  const config = { ...defaultConfig, recovery: settings['toolCalling.recovery'].default };
  const session = new Session({
    prepareRun: () =>
      prepareRun({
        ...{ profile, access, countTokens, protocol: values.protocol, fallbacks },
        facts: {
          roots: [path.basename(path.resolve(values.workspace ?? ''))],
          platform: process.platform,
          instructions: '',
        },
        tools: {
          offer: workspace.tools,
          config: () => config,
          ...(workspace.hooks && { hooks: workspace.hooks }),
        },
        project: workspace.project,
        budget: () => defaultBudget,
      }),
    judge: workspace.judge,
    onError: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  });
  let code = 1;
  let hasDone = false;
  session.onEvent((event) => {
    if (values.json) process.stdout.write(`${JSON.stringify(event)}\n`);
    else print(event);
    hasDone ||= event.type === 'tool-end' && event.result.status === 'success';
    if (event.type === 'run-end') code = exitCode(event, hasDone);
  });
  workspace.signal.addEventListener('abort', () => session.stop());
  try {
    await session.send(task);
  } finally {
    await workspace.close();
  }
  return code;
}

function print(event: AgentEvent): void {
  switch (event.type) {
    case 'text':
      process.stdout.write(visibleText(event.text));
      break;
    case 'reasoning-end':
      process.stderr.write(`\n[${said('The text so far was reasoning of the model.')}]\n`);
      break;
    case 'retry':
      process.stderr.write(visibleText(`${said(event.message)}\n`));
      break;
    case 'warning':
      process.stderr.write(visibleText(`[${event.diagnostic.code}] ${said(event.diagnostic.message)}\n`));
      break;
    case 'advice':
      process.stderr.write(
        visibleText(`${said(event.message)} ${said(`Try \`--protocol ${event.protocol}\`.`)}\n`),
      );
      break;
    case 'sub-agent':
      // The result of its call summarizes the rest of a sub-agent's work.
      if (isNotice(event.event)) print(event.event);
      break;
    case 'progress':
      if (event.stage === 'loading') process.stderr.write(`${said('The server is loading the model.')}\n`);
      if (event.stage === 'busy')
        process.stderr.write(`${said('The server is busy with other requests.')}\n`);
      break;
    case 'reply-end':
      process.stdout.write('\n');
      break;
    case 'tool-end': {
      const { toolName, status, durationMs, result } = event.result;
      const why = status === 'success' ? '' : `: ${said(result)}`;
      process.stderr.write(
        visibleText(`[${toolName || 'malformed call'}] ${status}, ${durationMs} ms${why}\n`),
      );
      break;
    }
    case 'run-end':
      if ('message' in event.outcome) process.stderr.write(`${said(event.outcome.message)}\n`);
      break;
    default:
      break;
  }
}

/** Also shown for sub-agents at any depth. */
function isNotice({ type }: AgentEvent): boolean {
  return type === 'warning' || type === 'retry' || type === 'sub-agent';
}

/** `hasDone`: a call has succeeded. */
function exitCode({ outcome }: Extract<AgentEvent, { type: 'run-end' }>, hasDone: boolean): number {
  switch (outcome.type) {
    case 'done':
      return 'code' in outcome && outcome.code === 'not-run' && !hasDone ? 1 : 0;
    case 'budget':
      return 3;
    case 'aborted':
    case 'failed':
      return 1;
  }
}

function isSameServer({ baseUrl: one = '' }: ModelProfile, { baseUrl: other = '' }: ModelProfile): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

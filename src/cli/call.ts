import * as z from 'zod';
import { isJsonObject, parseObject, type JsonObject } from '../base/json';
import type { Approve } from '../core/run/agent-options';
import { executeGiven } from '../core/run/execute';
import { tightened } from '../core/run/hooks';
import type { ToolResult } from '../core/words/messages';
import { ToolError } from '../core/words/tool';
import { defaultConfig, openWorkspace, workspaceOptions, type CliWorkspace } from './built-in';
import {
  answerLines,
  answerId,
  readAll,
  parseJsonLine,
  readOptions,
  rejectWords,
  UsageError,
} from './command-line';

/** `parley call`: one tool call, or one a line, under the same policy as `run`. */
export async function call(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(args, { ...workspaceOptions, jsonl: { type: 'boolean' } });
  const workspace = await openWorkspace(values);
  try {
    if (values.jsonl) {
      rejectWords(positionals, 'Give the calls on standard input, one a line.');
      await answerLines((line) => callLine(line, workspace), workspace.signal);
      return workspace.signal.aborted ? 1 : 0;
    }
    const [tool] = positionals;
    if (tool === undefined || positionals.length > 1) throw new UsageError('give the name of one tool.');
    const input = parseObject(await readAll(workspace.signal));
    if (!input)
      throw new UsageError(
        'the arguments on standard input are not a JSON object. Give one such as {"path": "src"}.',
      );
    const result = await callTool('', tool, input, workspace);
    process.stdout.write(`${result.result}\n`);
    return result.status === 'error' ? 1 : 0;
  } finally {
    await workspace.close();
  }
}

const Line = z.object({ id: z.unknown().optional(), tool: z.string(), arguments: z.unknown() });

async function callLine(line: string, workspace: CliWorkspace): Promise<object> {
  const given = parseJsonLine(line);
  const checked = Line.safeParse(given);
  if (!checked.success)
    return { id: answerId(given), status: 'error', result: z.prettifyError(checked.error), durationMs: 0 };
  const { id, tool } = checked.data;
  const input = checked.data.arguments;
  if (!isJsonObject(input))
    return { id, status: 'error', result: 'The arguments are not a JSON object.', durationMs: 0 };
  const { status, result, durationMs } = await callTool('', tool, input, workspace);
  return { id, status, result, durationMs };
}

async function callTool(
  id: string,
  name: string,
  input: JsonObject,
  { tools, caller, judge, hooks, signal }: CliWorkspace,
): Promise<ToolResult> {
  const tool = tools.resolve(name);
  if (!tool) {
    const known = tools.offered(defaultConfig).map(({ spec }) => spec.name);
    const result = `There is no tool "${name}". Use one of: ${known.join(', ')}.`;
    return { requestId: id, toolName: name, status: 'error', result, durationMs: 0 };
  }
  const approve: Approve = async (request, _emit, stop) => {
    const verdict = await tightened(hooks, request, judge(request, []).verdict, stop);
    return { type: verdict.decision === 'auto' ? 'run' : 'reject', by: 'policy', reason: verdict.reason };
  };
  const delegate = (): never => {
    throw new ToolError('A single call has no agent around it. Use "parley run" instead.');
  };
  const options = {
    approve,
    ...(hooks && { hooks }),
    delegate,
    caller,
    emit: () => undefined,
    timeoutMs: defaultConfig.timeout,
  };
  return executeGiven({ id, arguments: input }, tool, options, signal);
}

import type { ToolCall, ToolResult } from '../words/messages';
import { sentencesOf } from './first-look';

/** What runs a command line. */
export const RUN = 'run_shell_command';

const PROGRAMS =
  /^(?:\.\/\S+|node|npm|npx|pnpm|yarn|bun|deno|tsc|jest|vitest|mocha|eslint|python3?|pytest|uv|poetry|tox|ruff|mypy|ruby|rake|rspec|bundle|php|composer|go|cargo|make|cmake|ctest|dotnet|mvn|gradle|java|swift|perl|lua|bash|sh)(?:\s|$)/;

/** Sentences about commands that have to run, not about texts that look like some. */
const RUNNING =
  /\b(?:run|runs|running|execute|pass|passes|fail|fails|works?|succeeds?)\b|运行|执行|通过|失败|実行/i;

/** The commands between back ticks that a message asks for: `node --test`. */
export function quotedCommands(message: string): readonly string[] {
  return sentencesOf(message).flatMap((sentence) =>
    RUNNING.test(sentence)
      ? [...sentence.matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => (PROGRAMS.test(text) ? [text] : []))
      : [],
  );
}

/** Whether a call ran this command, or was not allowed to. */
export function isRunOf(
  { call, result }: { readonly call: ToolCall; readonly result: ToolResult },
  command: string,
): boolean {
  const { command: line } = call.arguments;
  if (call.name !== RUN || typeof line !== 'string') return false;
  // A script that runs it says so: `npm test` prints `> node --test`.
  return line.includes(command) || result.result.split('\n').includes(`> ${command}`);
}

/** How the command ended. */
export function hasFailed({ result }: { readonly result: ToolResult }): boolean {
  return result.status === 'error' || /^Exit code [1-9]/.test(result.result);
}

/** Whether a message asks to run a command, or says that it fails. */
export function runsFirst(message: string): boolean {
  return quotedCommands(message).length > 0 && FIRST.test(message);
}

const FIRST = /\b(?:run|execute|fails?|failing|broken)\b|运行|执行|失败/i;

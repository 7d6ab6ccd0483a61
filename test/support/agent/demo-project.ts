import type { ToolResult, Turn } from '../../../src/core/words/messages';
import { demoScript } from '../../../src/models/demo/demo';

export interface Project {
  readonly files: Record<string, string>;
  /** A tool whose calls the user rejects. */
  readonly rejected?: string;
  /** The output of the test command; it may depend on the files. */
  readonly tests: (files: Readonly<Record<string, string>>, command: string) => string;
}

export interface DemoRun {
  /** The calls, each as its tool and target. */
  readonly calls: readonly string[];
  readonly answer: string;
}

/** Has the demo do a task in an in-memory project; its tools answer like the real ones. */
export function runDemo(project: Project, sentence: string): DemoRun {
  const turns: Turn[] = [{ type: 'user', text: sentence }];
  const calls: string[] = [];
  for (let round = 0; round < 60; round++) {
    const parts = demoScript({ instructions: '', tools: [], turns });
    const call = parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))[0];
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (!call) return { calls, answer: text };
    const args = call.arguments as Record<string, string>;
    calls.push(`${call.name} ${args.path ?? args.command ?? args.query ?? args.glob ?? ''}`);
    const { status, result } = answer(project, call.name, call.arguments);
    turns.push({ type: 'reply', parts: [] });
    turns.push({
      type: 'results',
      results: [{ requestId: call.id, toolName: call.name, status, result, durationMs: 1 }],
    });
  }
  throw new Error(`The demo does not finish: ${calls.join(', ')}`);
}

type Outcome = Pick<ToolResult, 'status' | 'result'>;

function answer(
  { files, tests, rejected }: Project,
  tool: string,
  given: Readonly<Record<string, unknown>>,
): Outcome {
  const success = (result: string): Outcome => ({ status: 'success', result });
  if (tool === rejected) return { status: 'denied', result: 'Not executed: the user rejected this call.' };
  switch (tool) {
    case 'read_file': {
      const text = files[String(given.path)];
      if (text === undefined) return { status: 'error', result: `No file at ${String(given.path)}.` };
      const lines = text.replace(/\n$/, '').split('\n');
      return success(lines.map((line, at) => `${at + 1}\t${line}`).join('\n'));
    }
    case 'find_files': {
      const names = String(given.glob)
        .replace('**/', '')
        .replace(/^\{|\}$/g, '')
        .split(',');
      const patterns = names.map(
        (name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
      );
      const found = Object.keys(files).filter((path) =>
        patterns.some((pattern) => pattern.test(path.slice(path.lastIndexOf('/') + 1))),
      );
      return success([`${found.length} files match.`, ...found].join('\n'));
    }
    case 'search_text': {
      const found = Object.entries(files).flatMap(([path, text]) => {
        const hits = text
          .split('\n')
          .flatMap((line, at) => (line.includes(String(given.query)) ? [`  ${at + 1}: ${line}`] : []));
        return hits.length === 0 ? [] : [path, ...hits];
      });
      return success(['Some lines match.', ...found].join('\n'));
    }
    case 'edit_file': {
      const path = String(given.path);
      const [edit] = given.edits as readonly { old: string; new: string }[];
      if (!edit || files[path]?.split(edit.old).length !== 2)
        return { status: 'error', result: 'old is not there once.' };
      files[path] = files[path].replace(edit.old, () => edit.new);
      return success(`Edited ${path}.`);
    }
    case 'run_shell_command':
      return success(tests(files, String(given.command)));
    default:
      return { status: 'error', result: `There is no tool ${tool}.` };
  }
}

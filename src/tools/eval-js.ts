import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import type { IsolateEnd } from './ports/isolate';
import type { Surroundings } from './ports/surroundings';
import { byteSize, count, duration } from './text/amounts';

/** It can access and change nothing, so the policy treats it as a read. */
export function evalJs({ isolate }: Pick<Surroundings, 'isolate'>): Tool {
  return defineTool({
    toolset: 'sandbox',
    method: 'evalJs',
    displayName: 'Run JavaScript',
    userDescription: 'Computes something in a sandbox without files or network.',
    effect: 'read',
    // The isolate enforces its own time limit.
    timeoutMs: 'none',
    summary: 'computes in JavaScript',
    description:
      'Runs JavaScript to compute something: arithmetic, dates, regular expressions, sorting, parsing text that you put into the code. ' +
      'Returns the value of the last expression or of a top-level return, and what console.log printed. ' +
      'It has no files, network, modules, timers or page. To run code of the workspace, use run_shell_command.',
    example: { code: '(19.9 * 3).toFixed(2)' },
    input: () => z.strictObject({ code: z.string().min(1).describe('The code. Top-level await works.') }),
    prepare: async ({ code }) => ({
      title: 'Evaluate JavaScript',
      accesses: [],
      run: async ({ signal }) => ({ text: report(await isolate.run(code, signal)) }),
    }),
  });
}

/** Throws `ToolError` if the code did not produce a value. */
function report({ printed, isCut, how }: IsolateEnd): string {
  const cut = isCut ? '\n[More output was left out. Print less.]' : '';
  const before = printed === '' ? '' : `Printed:\n${printed.trimEnd()}${cut}\n`;
  switch (how.type) {
    case 'value': {
      const rest = how.omitted === 0 ? '' : `\n[${count(how.omitted, 'character')} left out. Return less.]`;
      return `${before}Result: ${how.text}${rest}`;
    }
    case 'error':
      throw new ToolError(`${before}The code failed. ${how.text}${hintFor(how.text)}`);
    case 'pending':
      throw new ToolError(
        `${before}The result is a promise that never settles: there are no timers and no events. Compute it directly.`,
      );
    case 'timeout':
      throw new ToolError(
        `${before}The code was ended after ${duration(limits.evalTimeoutMs)}. Do less at once, or look for an endless loop.`,
      );
    case 'crashed':
      throw new ToolError(
        `${before}The code broke the sandbox: it is nested too deeply, or needs too much memory. Do less at once.`,
      );
  }
}

/** Names of Node and browsers that models try. */
const ABSENT =
  /^ReferenceError: '?(require|process|fetch|setTimeout|setInterval|Buffer|window|document|fs|module)'?\b/;

function hintFor(error: string): string {
  if (ABSENT.test(error))
    return '\nOnly the language itself is available. Compute without it, or use another tool.';
  if (error.startsWith('InternalError: out of memory'))
    return `\nThe limit is ${byteSize(limits.evalMemoryBytes)}. Do less at once.`;
  return '';
}

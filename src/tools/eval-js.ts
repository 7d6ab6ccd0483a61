import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import type { IsolateEnd } from './ports/isolate';
import type { Surroundings } from './ports/surroundings';
import { byteSize, count, duration } from './text/amounts';

/** It reaches nothing and changes nothing, so for the policy it is a read of nothing. */
export function evalJs({ isolate }: Pick<Surroundings, 'isolate'>): Tool {
  return defineTool({
    toolset: 'sandbox',
    method: 'evalJs',
    displayName: 'Run JavaScript',
    userDescription: 'Computes something in a sandbox without files and network.',
    effect: 'read',
    // The code has a limit of its own, which the surroundings keep.
    timeoutMs: 'none',
    summary: 'computes in JavaScript',
    description:
      'Runs JavaScript to compute something: arithmetic, dates, regular expressions, sorting, parsing text that you put into the code. ' +
      'The result is the value of the last expression, or what a return at the top gives, and what console.log printed. ' +
      'Only the language is there: no files, network, modules, timers or page. To run code of the workspace use run_shell_command.',
    example: { code: '(19.9 * 3).toFixed(2)' },
    input: () =>
      z.strictObject({ code: z.string().min(1).describe('The code. await at the top is allowed.') }),
    prepare: async ({ code }) => ({
      title: 'Evaluate JavaScript',
      accesses: [],
      run: async ({ signal }) => ({ text: report(await isolate.run(code, signal)) }),
    }),
  });
}

/** Throws `ToolError` when the code did not come to a value. */
function report({ printed, isCut, how }: IsolateEnd): string {
  const cut = isCut ? '\n[More was printed and is left out. Print less.]' : '';
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
        `${before}The result is a promise that nothing will ever settle: there are no timers and no events. Compute it directly.`,
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

/** What a model may have taken the isolate for. */
const ABSENT =
  /^ReferenceError: '?(require|process|fetch|setTimeout|setInterval|Buffer|window|document|fs|module)'?\b/;

function hintFor(error: string): string {
  if (ABSENT.test(error))
    return '\nOnly the language itself is there. Compute without it, or use another tool.';
  if (error.startsWith('InternalError: out of memory'))
    return `\nThere are ${byteSize(limits.evalMemoryBytes)}. Do less at once.`;
  return '';
}

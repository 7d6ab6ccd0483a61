import * as z from 'zod';
import type { SubReport } from '../core/words/outcome';
import { ToolError, type Access, type Tool } from '../core/words/tool';
import type { Verdict } from '../core/words/verdict';
import { defineTool } from './define';

const MOST_ROUNDS = 50;

/** `toolsBeside`: the tools it may hand on without asking if they only read. */
export function callSubAgent(toolsBeside: () => readonly Tool[]): Tool {
  const tool = defineTool({
    toolset: 'agent',
    method: 'callSubAgent',
    effect: 'read',
    timeoutMs: 'none',
    summary: 'gives a task to another agent',
    description:
      'Gives a task to another agent that sees only the task, not this conversation; returns its last message. ' +
      'Use it for research that would fill the conversation; several calls at once run in parallel. ' +
      'Put everything it needs to know and what to answer into the task. It may use the read-only tools unless you name others.',
    example: {
      task: 'Find every place that reads the setting "timeout". Answer with file, line and what it does there.',
    },
    input: () =>
      z.strictObject({
        task: z.string().min(1).describe('Everything the agent needs to know, and what to answer.'),
        tools: z
          .array(z.string())
          .min(1)
          .optional()
          .describe(
            'Names of the tools it may use; default: those that only read. Naming others asks the user.',
          ),
        max_rounds: z.int().min(1).max(MOST_ROUNDS).default(15).describe('Requests it may make.'),
      }),
    prepare: async ({ task, tools, max_rounds: maxRounds }) => ({
      title: `Sub-agent: ${firstLine(task)}`,
      accesses: tools ? handedOn(tools, toolsBeside()) : [],
      run: async ({ delegate }) => ({ text: report(await delegate({ task, tools, maxRounds })) }),
    }),
  });
  return { ...tool, delegates: true };
}

/**
 * The user decides whether to hand on tools that do more than read. Each of their calls is still judged like any other.
 */
function handedOn(names: readonly string[], known: readonly Tool[]): Access[] {
  const acting = names.filter((name) => known.find(({ spec }) => spec.name === name)?.effect !== 'read');
  if (acting.length === 0) return [];
  const verdict: Verdict = { decision: 'ask', reason: `it may use ${acting.join(', ')}` };
  return [{ effect: 'execute', target: acting.join(', '), kind: 'agent', verdict }];
}

/** Throws `ToolError` if the task did not finish. */
function report({ outcome, text }: SubReport): string {
  const said = text || '(It wrote nothing.)';
  switch (outcome.type) {
    case 'done':
      return said;
    case 'budget':
      throw new ToolError(
        `The sub-agent did not finish. ${outcome.message} Call it again with the rest of the task, or with a larger max_rounds. Its last message:\n${said}`,
      );
    case 'aborted':
      throw new ToolError(`The sub-agent was stopped. Its last message:\n${said}`);
    case 'failed':
      throw new ToolError(`The sub-agent failed: ${outcome.message} Its last message:\n${said}`);
  }
}

function firstLine(task: string): string {
  const [line = ''] = task.trim().split('\n', 1);
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

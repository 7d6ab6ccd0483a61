import * as z from 'zod';
import type { SubReport } from '../core/words/outcome';
import { ToolError, type Access, type Tool } from '../core/words/tool';
import type { Verdict } from '../core/words/verdict';
import { defineTool } from './define';

const MOST_ROUNDS = 50;

/** `toolsBeside` are the tools it may hand on without a question if they only read. */
export function callSubAgent(toolsBeside: () => readonly Tool[]): Tool {
  const tool = defineTool({
    toolset: 'agent',
    method: 'callSubAgent',
    effect: 'read',
    timeoutMs: 'none',
    summary: 'has a task done by another agent',
    description:
      'Has a task done by another agent that starts without this conversation and sees only the task; you get its last message. ' +
      'Use it for research that would fill the conversation; several calls at once run side by side. ' +
      'Say in the task everything it has to know, and what to answer. It may use the tools that only read, unless you name others.',
    example: {
      task: 'Find every place that reads the setting "timeout". Answer with file, line and what it does there.',
    },
    input: () =>
      z.strictObject({
        task: z.string().min(1).describe('Everything the agent has to know, and what it should answer.'),
        tools: z
          .array(z.string())
          .min(1)
          .optional()
          .describe(
            'Names of the tools it may use; without it those that only read. Naming others asks the user.',
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

/** Tools that do more than read are the user's to hand on. Each of their calls is judged as any other all the same. */
function handedOn(names: readonly string[], known: readonly Tool[]): Access[] {
  const acting = names.filter((name) => known.find(({ spec }) => spec.name === name)?.effect !== 'read');
  if (acting.length === 0) return [];
  const verdict: Verdict = { decision: 'ask', reason: `it may use ${acting.join(', ')}` };
  return [{ effect: 'execute', target: acting.join(', '), kind: 'agent', verdict }];
}

/** Throws `ToolError` where the task came to no end. */
function report({ outcome, text }: SubReport): string {
  const said = text || '(It wrote nothing.)';
  switch (outcome.type) {
    case 'done':
      return said;
    case 'budget':
      throw new ToolError(
        `The sub-agent did not finish. ${outcome.message} Call it again with the rest of the task, or with more max_rounds. Its last words:\n${said}`,
      );
    case 'aborted':
      throw new ToolError(`The sub-agent was stopped. Its last words:\n${said}`);
    case 'failed':
      throw new ToolError(`The sub-agent failed: ${outcome.message} Its last words:\n${said}`);
  }
}

function firstLine(task: string): string {
  const [line = ''] = task.trim().split('\n', 1);
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type RunContext, type Tool } from '../core/words/tool';
import { defineTool } from './define';

/** The run waits until the user answers. */
export function askUser(): Tool {
  return defineTool({
    toolset: 'agent',
    method: 'askUser',
    effect: 'read',
    timeoutMs: 'none',
    summary: 'asks the user a question',
    description:
      'Asks the user one question and returns the answer. ' +
      'Use it only if you need a decision or a fact that only the user has; look up what the workspace can tell you. ' +
      'Give options if there are few likely answers; the user can always answer freely.',
    example: { question: 'Which of the two tests shall I keep?', options: ['The old one', 'The new one'] },
    input: () =>
      z.strictObject({
        question: z
          .string()
          .trim()
          .min(1)
          .max(limits.questionCharacters)
          .describe('The question, in plain text.'),
        options: z
          .array(z.string().trim().min(1).max(limits.questionOptionCharacters))
          .max(limits.questionOptions)
          .default([])
          .describe('Answers to choose from, a few words each.'),
      }),
    prepare: async (question) => ({
      title: 'Ask the user',
      accesses: [],
      run: async ({ ask }) => ({ text: await answerOf(ask)(question) }),
    }),
  });
}

function answerOf(ask: RunContext['ask']): NonNullable<RunContext['ask']> {
  if (ask) return ask;
  throw new ToolError(
    'No user is available to answer. Decide yourself, or say in your reply what you need to know.',
  );
}

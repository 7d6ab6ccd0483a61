import type { AgentOptions } from '../agent-options';
import { cutCall } from './cut-call';
import { failedReply } from './failed-reply';
import { falseStop } from './false-stop';
import { finalAnswer } from './final-answer';
import { markersLost } from './markers-lost';
import { otherProtocol } from './other-protocol';
import { repetition } from './repetition';
import { refusedForm } from './refused-form';
import type { ReplyCheck } from './reply-check';
import { tooLong } from './too-long';
import { toolsMissing } from './tools-missing';
import { windowLearned } from './window-learned';

/**
 * The checks of every reply of one run, in the order of their priority: the first that decides what follows ends the
 * round. Those that only warn or advise come first.
 */
export function replyChecks(options: AgentOptions, depth: number): readonly ReplyCheck[] {
  const { contextBudget } = options.conversation;
  // Nobody can be asked whether to try again.
  const isAlone = !options.user.ask || depth > 0;
  return [
    otherProtocol(),
    toolsMissing(contextBudget, options.model),
    markersLost(options.model),
    windowLearned(contextBudget),
    tooLong(options),
    repetition(isAlone),
    failedReply,
    cutCall(),
    refusedForm(options),
    falseStop(options),
    finalAnswer(contextBudget),
  ];
}

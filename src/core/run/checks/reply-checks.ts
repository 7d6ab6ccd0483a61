import { ASKS_AGAIN } from '../../transcript/history';
import { wholeReply, type Diagnostic } from '../../words/messages';
import type { AgentOptions } from '../agent-options';
import type { Reply, Round } from '../round';
import { cutCall, unreadableCalls } from './unreadable-calls';
import { falseStop, refusedForm } from './false-stop';
import { failedReply, finalAnswer, repetition } from './final-answer';
import { markersLost, otherProtocol, toolsMissing } from './other-protocol';
import { nothingChanged } from './nothing-changed';
import { notDone } from './not-done';
import { notSeen } from './not-seen';
import { notTouched } from './not-touched';
import type { Advice, Finding, NextStep, ReplyCheck } from './reply-check';
import { tooLong } from './too-long';
import { windowLearned } from './window-learned';

/**
 * The checks of every reply of one run, in the order of their priority: the first that decides what follows ends the
 * round. Those that only warn or advise come first.
 */
function replyChecks(options: AgentOptions, depth: number): readonly ReplyCheck[] {
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
    unreadableCalls(options),
    refusedForm(options),
    falseStop(options),
    nothingChanged(options),
    notDone(options),
    notTouched(options),
    notSeen(options),
    finalAnswer(contextBudget),
  ];
}

/** Shows the replies of one run to its checks, and passes on what they say. */
export class ReplyJudge {
  private readonly checks: readonly ReplyCheck[];
  private hasAdvised = false;

  constructor(
    private readonly options: AgentOptions,
    depth: number,
  ) {
    this.checks = replyChecks(options, depth);
  }

  /** Called before a request is sent. */
  before(round: Round): void {
    for (const check of this.checks) this.report(check.before?.(round));
  }

  /** What follows the reply; `undefined` if its calls run and the run goes on. */
  judge(reply: Reply, round: Round): NextStep | undefined {
    for (const check of this.checks) {
      const finding = check.look(reply, round);
      this.report(finding);
      if (finding?.next) return finding.next;
    }
    return undefined;
  }

  private report(finding: Finding | undefined): void {
    if (!finding) return;
    const { warning, advice, next } = finding;
    if (warning) this.warn(warning);
    if (advice) this.advise(advice);
    if (next?.type === 'ask-again') {
      const { code = ASKS_AGAIN.asked, message, hint } = next;
      this.warn(wholeReply({ code, level: 'warning', message, hint }));
    }
  }

  private warn(diagnostic: Diagnostic): void {
    this.options.conversation.emit({ type: 'warning', diagnostic });
  }

  private advise({ message, seen }: Advice): void {
    // The conversation moves by itself.
    if (this.options.move && seen !== undefined) return;
    const { protocol, suggestProtocol } = this.options.prompt;
    const suggested = suggestProtocol?.(seen);
    if (this.hasAdvised || suggested === undefined || suggested === protocol.id) return;
    this.hasAdvised = true;
    this.options.conversation.emit({ type: 'advice', protocol: suggested, message });
  }
}

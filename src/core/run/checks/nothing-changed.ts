import { ASKS_AGAIN } from '../../transcript/history';
import type { AgentOptions } from '../agent-options';
import { asksForChange, isQuestion } from '../first-look';
import { quotedCommands } from '../quoted-commands';
import { hasActed, messageOf } from '../since-message';
import { isAnswer, type ReplyCheck } from './reply-check';

/** How often a run is told; a model that claims it once more does not see it. */
const MOST = 2;

const CLAIMS: readonly RegExp[] = [
  /\b(?:added|appended|changed|completed|corrected|created|deleted|done|edited|fixed|implemented|modified|moved|refactored|removed|renamed|replaced|set|updated|written)\b/i,
  // Advice instead of work.
  /\b(?:you (?:need|have|should|can|must)|(?:needs?|has|have) to be|(?:should|must) be|no changes?|already)\b/i,
  /(?:已|完成|需要|应该|修改|更改|添加|删除|创建|新建|更新|移动|重命名|修复|替换)/,
];

/**
 * Notices an answer of a small model that claims a change, or says what should be changed, while no file is different, and no command ran that may have
 * made one. Models with many calls a reply are never told.
 */
export function nothingChanged({
  prompt,
  conversation,
}: Pick<AgentOptions, 'prompt' | 'conversation'>): ReplyCheck {
  let told = 0;
  return {
    look: (reply) => {
      if (prompt.steps !== 'one' || !isAnswer(reply)) return undefined;
      const message = messageOf(conversation);
      const isRun = quotedCommands(message).length > 0 && !asksForChange(message);
      if (told >= MOST || isRun || isQuestion(message) || !CLAIMS.some((claim) => claim.test(reply.text)))
        return undefined;
      if (hasActed(conversation)) return undefined;
      told++;
      return {
        next: {
          type: 'ask-again',
          code: ASKS_AGAIN.nothingChanged,
          isCallNeeded: true,
          message:
            'The answer says that something was changed, but no file is different. The model was told so.',
          hint: `[Nothing has been changed: no file is different. The task is:\n${message}\nDo it now with a tool.]`,
        },
      };
    },
  };
}

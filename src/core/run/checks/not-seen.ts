import { ASKS_AGAIN } from '../../transcript/history';
import type { AgentOptions } from '../agent-options';
import { callsSince, messageOf, textsSeen } from '../since-message';
import { isAnswer, type ReplyCheck } from './reply-check';

/** How often a run is told. */
const MOST = 2;

/** Numbers of two digits or more, and names of files. */
const CHECKED =
  /\d[\d.,:]*\d|[\w./-]+\.(?:js|ts|jsx|tsx|json|md|txt|py|go|rs|rb|java|yml|yaml|toml|ini|csv|sh|css|html)\b/g;

/** Spelled like a file, but a name: `Node.js`. */
const PRODUCT = /^[A-Z]\w*\.js$/;

/** Questions whose answer is calculated. */
const CALCULATED =
  /\b(?:how many|how much|count|number of|sum|total|average|mean|add up)\b|多少|几个|总数|合计|平均|いくつ/i;

/**
 * Notices a number or a file in the answer of a small model that is in nothing that it has read or that was said:
 * `3000` for a port in a file that says 8417.
 */
export function notSeen({
  prompt,
  tools,
  conversation,
}: Pick<AgentOptions, 'prompt' | 'tools' | 'conversation'>): ReplyCheck {
  let told = 0;
  return {
    look: (reply) => {
      if (prompt.steps !== 'one' || !isAnswer(reply)) return undefined;
      const calls = callsSince(conversation);
      const message = messageOf(conversation);
      // A question that needs no tool is answered from what the model knows.
      if (told >= MOST || calls.length === 0 || CALCULATED.test(message)) return undefined;
      const seen = [message, ...(tools.files ?? []), ...textsSeen(conversation)].join('\n');
      const strange = reply.text.match(CHECKED)?.find((each) => !seen.includes(each) && !PRODUCT.test(each));
      if (strange === undefined) return undefined;
      told++;
      return {
        next: {
          type: 'ask-again',
          code: ASKS_AGAIN.notSeen,
          message: `${strange} is in the answer, but in nothing that was read. The model was told so.`,
          hint: `[${strange} is in nothing that you have seen. Look again, then answer with what is there.]`,
        },
      };
    },
  };
}

import type { ReplyCheck, Finding } from './reply-check';
import type { ContextBudget } from '../../context/context-budget';
import type { RunModel } from '../../context/run-model';
import type { Shortfall } from '../../context/shortfall';
import { number, WHERE_WINDOWS_ARE_SET } from '../../context/too-much';
import { wholeReply, type Diagnostic } from '../../words/messages';

/** Malformed replies in a row after which another protocol is suggested. */
const MALFORMED_REPLIES = 2;

/** Notices that a model does not follow its protocol. */
export function otherProtocol(): ReplyCheck {
  let malformedReplies = 0;
  return {
    look: ({ requests, otherForm, failure }, { request }) => {
      if (!request) return undefined;
      const isMalformed = requests.length > 0 && requests.every(({ type }) => type === 'malformed');
      malformedReplies = isMalformed ? malformedReplies + 1 : 0;
      if (otherForm !== undefined) {
        const message = 'The model writes its calls in the form of another protocol.';
        return { advice: { message, seen: otherForm } };
      }
      if (failure?.code === 'no-tools')
        return { advice: { message: 'The endpoint does not support native tools.' } };
      if (malformedReplies >= MALFORMED_REPLIES)
        return { advice: { message: 'The model has trouble with this protocol.' } };
      return undefined;
    },
  };
}

/** Learns from the server's token counts. Warns once per run when a count cannot be of the whole request. */
export function toolsMissing(
  contextBudget: Pick<ContextBudget, 'learn'>,
  { dropsTools }: Pick<RunModel, 'dropsTools'>,
): ReplyCheck {
  let hasWarned = false;
  return {
    before: ({ request }) => {
      if (!request?.tools || !dropsTools || hasWarned) return undefined;
      hasWarned = true;
      return withoutTools(
        'The model does not see its tools: the server reports that its chat template drops them. Use a text protocol.',
      );
    },
    look: ({ usage, failure }, { size }) => {
      if (!size) return undefined;
      // A refusal also tells how long the request was.
      const refused = failure?.figures?.prompt;
      if (refused !== undefined) contextBudget.learn(size, { inputTokens: refused, outputTokens: 0 });
      const found = usage && contextBudget.learn(size, usage);
      if (!found || hasWarned) return undefined;
      hasWarned = true;
      return shortfallFinding(found, usage.inputTokens, size.total);
    },
  };
}

function withoutTools(message: string): Omit<Finding, 'next'> {
  const hint =
    'A text protocol describes the tools in the messages. With llama.cpp, --jinja and a chat template that supports tools also work.';
  return {
    warning: warning({ code: 'tools-not-in-template', message, hint }),
    advice: { message: 'The chat template of the model does not support tools.' },
  };
}

function shortfallFinding(found: Shortfall, counted: number, total: number): Finding {
  if (found === 'front-cut') {
    const message = `The server read ${number(counted)} of about ${number(total)} tokens: it probably cut off the beginning, which describes the tools. Give the server a larger context size, or set "contextWindow" to its actual size.`;
    return { warning: warning({ code: 'front-cut', message, hint: WHERE_WINDOWS_ARE_SET }) };
  }
  return withoutTools(
    `The model did not see its tools: the server read ${number(counted)} of about ${number(total)} tokens, as many as the messages have without the tools. The model's chat template does not support them. Use a text protocol.`,
  );
}

function warning(text: Pick<Diagnostic, 'code' | 'message' | 'hint'>): Diagnostic {
  return wholeReply({ level: 'warning', ...text });
}

/** Warns once per run that calls cannot arrive, because the server drops a marker of the protocol. */
export function markersLost({ losesMarkers }: Pick<RunModel, 'losesMarkers'>): ReplyCheck {
  let hasWarned = !losesMarkers;
  return {
    before: ({ request }) => {
      if (!request || hasWarned) return undefined;
      hasWarned = true;
      return {
        warning: wholeReply({
          code: 'markers-lost',
          level: 'warning',
          message:
            'The server drops control tokens that begin calls in this protocol, so they cannot arrive. Use another protocol.',
          hint: 'With llama.cpp, --special makes the server pass them on.',
        }),
        advice: { message: 'The server drops the markers of this protocol.' },
      };
    },
    look: () => undefined,
  };
}

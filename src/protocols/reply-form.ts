import { keepLast } from '../base/keep-last';
import type { GrammarOptions, ReplyForm } from '../core/words/grammar';
import type { Conversation } from '../core/words/model';
import type { Protocol } from '../core/words/protocol';
import type { ToolSpec } from '../core/words/tool';
import { toGbnf } from './grammar/gbnf';
import { matchGrammar } from './grammar/match';

type HasGrammar = Protocol & Required<Pick<Protocol, 'grammar'>>;

/** Only agents, toggles and settings decide which tools are offered. */
const KEPT = 4;

const gbnf = keepLast(
  KEPT,
  (
    protocol: HasGrammar,
    thinking: GrammarOptions['thinking'],
    steps: Conversation['steps'],
    isNeeded: boolean,
    tools: readonly ToolSpec[],
    facts: Conversation['facts'],
  ) =>
    toGbnf(
      protocol.grammar(tools, {
        ...(thinking && { thinking }),
        ...(steps && { steps }),
        ...(facts && { facts }),
        isNeeded,
      }),
    ),
);

/** The form of a reply in a conversation; `undefined` if no tool is offered or the protocol has no form. */
export function formIn(protocol: Protocol, conversation: Conversation): ReplyForm | undefined {
  const schema = protocol.schema?.bind(protocol);
  const all = [...conversation.tools, ...(conversation.loaded ?? [])];
  if (!hasGrammar(protocol) || all.length === 0) return undefined;
  const { steps, isCallNeeded: isNeeded = false, leftOut = [], facts } = conversation;
  const tools = leftOut === 'all' ? [] : all.filter(({ name }) => !leftOut.includes(name));
  const form = { ...(steps && { steps }), ...(facts && { facts }), isNeeded };
  return {
    // The thought of a step is its reasoning; a model that may write both begins with neither.
    grammar: (thinking) =>
      gbnf(
        protocol,
        steps === 'one' && thinking === 'may' ? undefined : thinking,
        steps,
        isNeeded,
        tools,
        facts,
      ),
    ...(schema && { schema: () => schema(tools, form) }),
    // Only the system message: the conversation is already rendered.
    system: (formType) =>
      protocol.request({ ...conversation, turns: [], formType }).messages[0]?.content ?? '',
    accepts: (reply) => matchGrammar(protocol.grammar(tools, { thinking: 'may', ...form }), reply).isWhole,
  };
}

function hasGrammar(protocol: Protocol): protocol is HasGrammar {
  return protocol.grammar !== undefined;
}

import type { ToolSpec } from '../../core/words/tool';
import { findTool } from '../engine/calls';
import { seenOf, type Cursor, type Reading } from '../engine/cursor';
import { headerHere, HEADER_OPENERS } from '../engine/messages';
import type { Reader, ReplyWriter } from '../engine/reader';
import { Trial } from '../engine/trial';
import { finishNamed, readCalls, takeName, takesMark } from './calls';
import { fromHead } from './frames';

/** Calls in separate messages: gpt-oss (harmony) and Inkling. */
export function messages(tools: readonly ToolSpec[] = []): readonly Reader[] {
  return [
    {
      id: 'inkling',
      openers: HEADER_OPENERS.filter((opener) => /message_model|tool_json/.test(opener)),
      resultOpeners: [],
      begins: isCallHeader,
      *block(reply) {
        const { length = 0, recipient = '' } = (yield* headerHere(reply.cursor)) ?? {};
        reply.cursor.take(length);
        const trial = new Trial(reply.cursor);
        const isRead = yield* readCalls(trial, { closers: ['<|end_message|>'] });
        const { name } = fromHead(recipient);
        const isMeant = name === '' || trial.calls.every((call) => call.name === name);
        // If header and body name different tools, it is not known which one is meant.
        if (!isMeant) reply.startCall('');
        else for (const call of trial.calls) reply.endCall({ ...call, index: reply.startCall(call.name) });
        return isRead && isMeant && trial.isClean;
      },
    },
    {
      id: 'harmony',
      openers: HEADER_OPENERS.filter((opener) => /^to=|start|channel/.test(opener)),
      resultOpeners: [],
      begins: isCallHeader,
      *block(reply) {
        const { cursor } = reply;
        const start = cursor.position;
        const { length = 0, recipient = '' } = (yield* headerHere(cursor)) ?? {};
        cursor.take(length);
        const { name } = fromHead(recipient);
        if (!(yield* finishNamed(reply, { name, start }))) return false;
        yield* takesMark(cursor, ['<|call|>', '<|end|>']);
        return true;
      },
    },
    {
      id: 'harmony',
      openers: ['=functions.'],
      resultOpeners: [],
      standsAlone: true,
      block: (reply) => readWithoutMarks(reply, tools),
    },
  ];
}

/** Whether the header is a call's, with a body that is not in tags. */
function* isCallHeader(cursor: Cursor, _opener: string, _isLineStart: boolean, offset = 0): Reading<boolean> {
  const header = yield* headerHere(cursor, offset);
  return header?.kind === 'call' && !(yield* cursor.sees('<', offset + header.length));
}

/** `…assistantcommentary to=functions.read json{…}`: the rest of messages that lost their markers. */
function* readWithoutMarks(reply: ReplyWriter, tools: readonly ToolSpec[]): Reading<boolean> {
  const { cursor } = reply;
  do {
    const start = cursor.position;
    yield* takesMark(cursor, NEXT);
    const word = yield* takeName(cursor);
    // The type of the body may follow the name without a gap.
    const name = findTool(tools, word) ? word : word.replace(/(?:json|code)$/, '');
    yield* takesMark(cursor, ['json', 'code']);
    if (!(yield* finishNamed(reply, { name, start }))) return false;
  } while ((yield* seenOf(cursor, NEXT)) !== undefined);
  return true;
}

const NEXT = ['assistantcommentary to=functions.', 'commentary to=functions.', '=functions.'];

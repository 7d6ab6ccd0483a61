import { ASKS_AGAIN } from '../../transcript/history';
import type { AgentOptions } from '../agent-options';
import { isQuestion, isRenaming, namedFiles, sentencesOf } from '../first-look';
import { callsSince, changedFiles, messageOf } from '../since-message';
import { isAnswer, type ReplyCheck } from './reply-check';

/** How often a run is told, each time of another place. */
const MOST = 3;

/**
 * Notices an answer of a small model that has changed one of several files that the task names, or one of several files
 * in which a name is that is to be renamed. It is told what is as it was, and nothing else: asked to look for what is
 * missing, such a model invents a change.
 */
export function notTouched({
  prompt,
  tools,
  conversation,
}: Pick<AgentOptions, 'prompt' | 'tools' | 'conversation'>): ReplyCheck {
  const told = new Set<string>();
  return {
    look: (reply) => {
      if (told.size >= MOST || prompt.steps !== 'one' || !isAnswer(reply)) return undefined;
      const message = messageOf(conversation);
      const changed = changedFiles(conversation);
      if (changed.length === 0 || isQuestion(message)) return undefined;
      const places = [
        ...filesToChange(message, tools.files ?? []).map((file) => ({ file, what: file })),
        ...(isRenaming(message) ? foundPlaces(conversation) : []),
      ];
      const left = places.find(({ file, what }) => !changed.includes(file) && !told.has(what));
      if (!left) return undefined;
      told.add(left.what);
      return {
        next: {
          type: 'ask-again',
          code: ASKS_AGAIN.notTouched,
          message: `${left.file} is as it was. The model was told so.`,
          hint: `[Not changed so far: ${left.what}\nThe task is:\n${message}\nIf the task asks for a change there, make it now; if not, finish.]`,
        },
      };
    },
  };
}

/** Files that one sentence names together; commands and tests are not to be changed. */
function filesToChange(message: string, files: readonly string[]): readonly string[] {
  return sentencesOf(message.replace(/`[^`]*`/g, '')).flatMap((sentence) => {
    const named = namedFiles(sentence, files).filter((file) => !/test|spec/i.test(file));
    return named.length > 1 ? named : [];
  });
}

interface FoundPlace {
  readonly file: string;
  readonly what: string;
}

/** The places that the first search of the run has found. */
function foundPlaces(conversation: AgentOptions['conversation']): readonly FoundPlace[] {
  const search = callsSince(conversation).find(({ call }) => call.name === 'search_text');
  const [, ...lines] = search?.result.result.split('\n') ?? [];
  return lines.flatMap((file, at) => {
    const first = lines[at + 1];
    const isFile = /^\S/.test(file) && first !== undefined && /^ +\d+: /.test(first);
    return isFile ? [{ file, what: `${file}\n${first}` }] : [];
  });
}

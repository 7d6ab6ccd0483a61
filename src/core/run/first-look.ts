import type { CallRequest } from '../reply/reply-reader';
import type { RenderedPart } from '../words/protocol';
import { runningSpec } from '../words/tool';
import type { AgentOptions } from './agent-options';
import { callableTools } from './on-demand';
import type { Round } from './round';
import { messageOf } from './since-message';

/** How a model that works in steps of one call begins: it looks before it answers. */
export class FirstLook {
  /** What is read before its first step: the worked example, in the right form and of the right project. */
  readonly files: readonly string[];
  /** The message asks for work, not only for an answer. */
  readonly isTask: boolean;
  private isOpen: boolean;

  constructor({ prompt, tools, conversation }: Pick<AgentOptions, 'prompt' | 'tools' | 'conversation'>) {
    const text = messageOf(conversation);
    const isOne = prompt.steps === 'one' && !conversation.editedReply && tools.config().enabled;
    const files = tools.files ?? [];
    this.files = isOne ? namedFiles(text, files) : [];
    this.isTask = !isQuestion(text);
    this.isOpen = isOne && namesProject(text, files) && (this.isTask || this.files.length === 0);
  }

  /** Whether the next reply must be a call. */
  get isNeeded(): boolean {
    return this.isOpen;
  }

  /** The next reply must be a call. */
  reopen(): void {
    this.isOpen = true;
  }

  called(requests: readonly CallRequest[]): void {
    if (requests.some(({ type }) => type === 'call')) this.isOpen = false;
  }
}

/** A round whose reply Parley writes: it reads the file. Nothing if the model may not read files. */
export function readRound(
  { prompt, tools, conversation, model }: AgentOptions,
  path: string,
): Round | undefined {
  const { protocol } = prompt;
  const { contextBudget, emit, transcript } = conversation;
  const config = tools.config();
  const { callable } = callableTools(
    { offer: tools.offer, protocol },
    config,
    contextBudget.turns(transcript()),
  );
  const reading = callable.find(({ spec }) => runningSpec(spec).name === 'read_file');
  if (!reading) return undefined;
  const { name, offers } = reading.spec;
  const args = offers ? offers.fromCall({ path }) : { path };
  if (!args) return undefined;
  const parts: readonly RenderedPart[] = [
    { type: 'text', text: `The message names ${path}, so it is read first.` },
    { type: 'call', call: { id: '', name, arguments: args } },
  ];
  emit({ type: 'round-start', round: 1, maxRounds: 1, protocol: protocol.id, model: model.client.name });
  return {
    config,
    described: callable,
    callable,
    editedReply: { protocol, deltas: [...protocol.renderReply(parts), { type: 'end', reason: 'stop' }] },
  };
}

/** Files that are read before the first step. */
const MOST_READ = 3;

/** Characters that can be part of a path or a name; others, also those of other scripts, are around it. */
const PART = String.raw`[\w./\\@+-]`;

/**
 * The project's files that a message names, in its order, at most three: by their path, or by their name if only one
 * file has it.
 */
export function namedFiles(message: string, files: readonly string[]): readonly string[] {
  const byName = new Map<string, readonly string[]>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  const known = new Set(files);
  const found = pathsIn(message).flatMap((path) => {
    if (known.has(path)) return [path];
    const named = byName.get(path) ?? [];
    return named.length === 1 ? named : [];
  });
  return [...new Set(found)].slice(0, MOST_READ);
}

/**
 * Whether a message names something of the project, so that it cannot be answered without a look: a path, words
 * between back ticks, a name as code has them, or the tests.
 */
export function namesProject(message: string, files: readonly string[]): boolean {
  return (
    NAMES.some((pattern) => pattern.test(message)) || pathsIn(message).some((path) => isPath(path, files))
  );
}

const NAMES = [
  /`[^`\n]+`/,
  // `parsePrice`, `parse_price`, `parse()`, `MAX_SIZE`
  /(?<![\w])[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w])/,
  /(?<![\w])[A-Za-z]\w*_\w+/,
  /\w\(\)/,
  /(?<![\w])(?:tests?|specs?|unit tests)(?![\w])/i,
  /测试|テスト/,
];

function isPath(path: string, files: readonly string[]): boolean {
  return (
    /(?:\w\w\.[a-z]|\w\.[a-z]\w)\w{0,8}$/i.test(path) ||
    files.some((file) => file === path || file.startsWith(`${path}/`))
  );
}

/** What may be a path, without a sentence's punctuation behind it. */
function pathsIn(message: string): readonly string[] {
  const found = message.match(new RegExp(`${PART}+`, 'g')) ?? [];
  return found
    .map((each) =>
      each
        .replaceAll('\\', '/')
        .replace(/^\.\//, '')
        .replace(/[./]+$/, ''),
    )
    .filter((each) => /[./]|^\w+$/.test(each));
}

/** Whether a message asks for an answer, not for work; a worked example is then example enough. */
export function isQuestion(message: string): boolean {
  return (
    /[?？]\s*$/.test(message.trim()) ||
    /^\s*(?:what|which|where|who|why|when|how (?:many|much|long|old|does|do|is|are))\b/i.test(message)
  );
}

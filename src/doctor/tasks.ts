import { parseReply } from '../core/reply/parse-reply';
import type { Turn } from '../core/words/messages';
import type { Protocol } from '../core/words/protocol';
import { rightReply, type Exam, type Step, type WantedCall } from './exam';
import type { Random } from './random';
import { ORDER_TOOLS, REPORT_TOOL } from './task-tools';

/** A kind of work that agents do, in variants with different names and values. */
export interface Task {
  readonly id: TaskId;
  /** For people, in a few English words. */
  readonly title: string;
  /** A call is needed: a model that never calls cannot do it. */
  readonly needsCall: boolean;
  /** The contestant's protocol matters if the values contain its markers. */
  readonly make: (random: Random, protocol: Protocol) => Exam;
}

export type TaskId =
  | 'arguments'
  | 'text'
  | 'choice'
  | 'two-calls'
  | 'no-call'
  | 'no-tool'
  | 'result'
  | 'error'
  | 'steps'
  | 'long';

export const tasks: readonly Task[] = [
  { id: 'arguments', title: 'typed arguments', needsCall: true, make: typedArguments },
  { id: 'text', title: 'a text, byte for byte', needsCall: true, make: awkwardText },
  { id: 'choice', title: 'the right one of twelve tools', needsCall: true, make: rightTool },
  { id: 'two-calls', title: 'two calls at once', needsCall: true, make: twoCalls },
  { id: 'no-call', title: 'no call is needed', needsCall: false, make: noCall },
  { id: 'no-tool', title: 'no tool fits', needsCall: false, make: noTool },
  { id: 'result', title: 'what the result says', needsCall: true, make: fromResult },
  { id: 'error', title: 'right after an error', needsCall: true, make: afterError },
  { id: 'steps', title: 'three steps', needsCall: true, make: threeSteps },
  { id: 'long', title: 'a text behind 6,000 tokens', needsCall: true, make: behindLongTalk },
];

const NAMES = ['harbour', 'lantern', 'meadow', 'quarry', 'saddle', 'thimble', 'walnut', 'zephyr'];
const FOLDERS = ['src', 'lib', 'docs', 'tests', 'scripts', 'assets'];

const user = (text: string): Turn => ({ type: 'user', text });

const call = (name: string, args: WantedCall['arguments'], mayHaveMore = true): WantedCall => ({
  name,
  arguments: args,
  mayHaveMore,
});

const ONE_CALL = 'Call the tool at once and say nothing else.';

/** Strings, integers, booleans and a list, and an optional argument that is left out. */
function typedArguments(random: Random): Exam {
  const title = `${capital(random.pick(NAMES))} "${random.pick(NAMES)}"`;
  const copies = 2 + random.below(40);
  const isDraft = random.next() < 0.5;
  const tags = random.some(NAMES, 3);
  const text = `Make a report with the title ${title}, ${copies} copies, ${isDraft ? 'as a draft' : 'not as a draft'}, with the tags ${tags.join(', ')} in this order. Leave out the note. ${ONE_CALL}`;
  const args = { title, copies, draft: isDraft, tags: [...tags] };
  return {
    turns: [user(text)],
    tools: [REPORT_TOOL],
    steps: [done(call(REPORT_TOOL.name, args, false))],
  };
}

function awkwardText(random: Random, protocol: Protocol): Exam {
  const path = `${random.pick(FOLDERS)}/${random.pick(NAMES)}.txt`;
  const content = awkwardContent(random, protocol);
  const last = content.endsWith('\n')
    ? 'The last line ends with a line break.'
    : 'There is no line break at the end.';
  const text = `Write the new file ${path} with exactly the text between the two rulers, byte for byte. ${last} ${ONE_CALL}\n-----\n${content}${content.endsWith('\n') ? '' : '\n'}-----`;
  return { turns: [user(text)], tools: [], steps: [done(call('write_file', { path, content }, false))] };
}

/**
 * Quotes, escapes, tabs, letters of other scripts, and the markers that end a call in this protocol, if it can express
 * them.
 */
function awkwardContent(random: Random, protocol: Protocol): string {
  const lines = [
    `const ${random.pick(NAMES)} = "a \\"quoted\\" \\\\ text";`,
    `\tif (x < ${random.below(100)} && y > 'z') { return \`\${x}\`; }`,
    `# 你好, Grüße, ${random.pick(NAMES)} 🙂`,
    `C:\\new\\table\\${random.below(1_000)}`,
    '',
    `  {"key": [1, null, "${random.pick(NAMES)}"]},`,
    '</b> &amp; <!-- no -->',
    `path = '${random.pick(NAMES)}'  # done`,
  ];
  const end = random.next() < 0.5 ? '\n' : '';
  const withMarks = [...lines.slice(0, 6), ...closingMarks(protocol), ...lines.slice(6)].join('\n') + end;
  return isSayable(withMarks, protocol) ? withMarks : lines.join('\n') + end;
}

/** What this protocol writes after the last value of a call. */
function closingMarks(protocol: Protocol): readonly string[] {
  const [before, behind] = writtenAround('0', protocol);
  return before === undefined || behind === undefined ? [] : behind.split('\n').filter(Boolean);
}

function writtenAround(value: string, protocol: Protocol): readonly (string | undefined)[] {
  const mark = `value${value}`;
  const deltas = rightReply(done(call('write_file', { path: 'a', content: mark })), protocol);
  const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
  return text.split(mark);
}

/** Some forms cannot escape their own markers. */
function isSayable(content: string, protocol: Protocol): boolean {
  const wanted = rightReply(done(call('write_file', { path: 'a', content })), protocol);
  const { parts } = parseReply(protocol, wanted, {});
  const [part, ...others] = parts;
  if (others.length > 0 || part?.type !== 'call') return false;
  return part.call.mark === 'clean' && part.call.arguments['content'] === content;
}

function rightTool(random: Random): Exam {
  const tool = random.pick(ORDER_TOOLS);
  const order = 1_000 + random.below(9_000);
  const text = `${tool.wish.replace('ORDER', String(order))} ${ONE_CALL}`;
  return {
    turns: [user(text)],
    tools: ORDER_TOOLS.map(({ spec }) => spec),
    steps: [done(call(tool.spec.name, { order }))],
  };
}

function twoCalls(random: Random): Exam {
  const paths = random.some(NAMES, 2).map((name) => `${random.pick(FOLDERS)}/${name}.md`);
  const text = `Read ${paths.join(' and ')}: both in one reply, in this order, without waiting for the first. Say nothing else.`;
  const calls = paths.map((path) => call('read_file', { path }));
  return {
    turns: [user(text)],
    tools: [],
    steps: [{ type: 'calls', calls, results: paths.map(() => ({ status: 'success', text: '1\tA line.' })) }],
  };
}

function noCall(random: Random): Exam {
  const [one, other] = [random.below(50), random.below(50)];
  const questions = [
    `What is ${one} plus ${other}? You need no tool for that.`,
    'Which language is spoken in Portugal? Answer from what you know.',
    `Say "${random.pick(NAMES)}" in capital letters. You need no tool for that.`,
    'Thank you, that was all. Say goodbye in one sentence.',
  ];
  return {
    turns: [user(random.pick(questions))],
    tools: [],
    steps: [{ type: 'answer', example: 'Here it is.' }],
  };
}

function noTool(random: Random): Exam {
  const wishes = [
    `Turn the light in the ${random.pick(NAMES)} room off.`,
    `Call my brother on the telephone and tell him about the ${random.pick(NAMES)}.`,
    `Print a photograph of the ${random.pick(NAMES)} on paper.`,
  ];
  const text = `${random.pick(wishes)} If none of your tools can do that, call none and say so in one sentence.`;
  return { turns: [user(text)], tools: [], steps: [{ type: 'answer', example: 'I have no tool for that.' }] };
}

/** The answer has to contain what only the result shows. */
function fromResult(random: Random): Exam {
  const path = `${random.pick(FOLDERS)}/${random.pick(NAMES)}.txt`;
  const code = codeWord(random);
  return {
    turns: [user(`Read ${path} and tell me the code word in it.`)],
    tools: [],
    steps: [
      read(path, `The code word is ${code}.`),
      { type: 'answer', says: code, example: `It is ${code}.` },
    ],
  };
}

function afterError(random: Random): Exam {
  const name = random.pick(NAMES);
  const [wrong, right] = random.some(FOLDERS, 2).map((folder) => `${folder}/${name}.json`);
  if (wrong === undefined || right === undefined) throw new Error('There are too few folders.');
  const failed = { status: 'error', text: `There is no file ${wrong}. There is one at ${right}.` } as const;
  return {
    turns: [user(`Show me what is in ${wrong}. If it is not there, read it where it is.`)],
    tools: [],
    steps: [
      { type: 'calls', calls: [call('read_file', { path: wrong })], results: [failed] },
      done(call('read_file', { path: right })),
    ],
  };
}

/** Each file names the next. */
function threeSteps(random: Random): Exam {
  const [first = '', second = '', third = ''] = random
    .some(NAMES, 3)
    .map((name) => `${random.pick(FOLDERS)}/${name}.txt`);
  const code = codeWord(random);
  return {
    turns: [
      user(
        `Read ${first}. It names another file; read that too, and go on until you find the code word. Tell me the code word.`,
      ),
    ],
    tools: [],
    steps: [
      read(first, `Go on with ${second}.`),
      read(second, `Go on with ${third}.`),
      read(third, `The code word is ${code}.`),
      { type: 'answer', says: code, example: `It is ${code}.` },
    ],
  };
}

/** About 6,000 tokens: these words have four characters per token. */
const LONG_TALK = 24_000;

function behindLongTalk(random: Random, protocol: Protocol): Exam {
  const { turns, ...exam } = awkwardText(random, protocol);
  const talk: Turn[] = [];
  for (let length = 0; length < LONG_TALK;) {
    const story = Array.from(
      { length: 40 },
      () => `The ${random.pick(NAMES)} stands beside the ${random.pick(NAMES)}.`,
    ).join(' ');
    talk.push(user(`Remember this: ${story}`), { type: 'reply', parts: [{ type: 'text', text: 'I will.' }] });
    length += story.length;
  }
  return { ...exam, turns: [...talk, ...turns] };
}

function read(path: string, content: string): Step {
  return {
    type: 'calls',
    calls: [call('read_file', { path })],
    results: [{ status: 'success', text: `1\t${content}` }],
  };
}

/** The exam ends with this call; its result does not matter. */
function done(wanted: WantedCall): Step {
  return { type: 'calls', calls: [wanted], results: [{ status: 'success', text: 'Done.' }] };
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

function codeWord(random: Random): string {
  return Array.from({ length: 6 }, () => LETTERS[random.below(LETTERS.length)]).join('');
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

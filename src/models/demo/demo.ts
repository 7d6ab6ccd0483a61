import type { ToolResult, Turn } from '../../core/words/messages';
import type { Conversation, Model } from '../../core/words/model';
import type { RenderedPart } from '../../core/words/protocol';
import { LOAD_TOOLS } from '../../core/words/tool';
import { scriptedModel, type RenderReply } from '../scripted';
import { explainFile } from './explain';
import { explainProject } from './explain-project';
import { findUses } from './find-uses';
import { runTests } from './run-tests';
import { makeCall, readSentence } from './sentences';
import { sorry, type Step, type Surroundings, type Task } from './task';

/** A scripted model: follows a few plain sentences, needs no key and no network. */
export function demoModel(render: RenderReply, pauseMs: number): Model {
  return scriptedModel({ name: 'Demo (scripted)', script: demoScript, render, pauseMs });
}

const HELP = `I am the demo: a script, not a language model. I can do this in any small project:

- \`Explain src/greet.js\`
- \`Find where greet is used\`
- \`Run the tests and fix what fails\`
- \`What is this project?\`

and I follow sentences like these, joined by "then":

- \`read notes.txt\`
- \`list\` or \`list src\`
- \`search TODO\` or \`search TODO in src\`
- \`create hello.txt with Hello there\`
- \`replace 'a' with 'b' in notes.txt\`
- \`run git status\`

Pick another model below to work with a real one.`;

/** Returns what comes next: the next call of the user's tasks, and the answer when all are done. */
export function demoScript(conversation: Conversation): readonly RenderedPart[] {
  const { turns, tools, loaded = [] } = conversation;
  const asked = turns.findLastIndex((turn) => turn.type === 'user');
  const request = turns[asked];
  const tasks = request?.type === 'user' ? readTasks(request.text, surroundingsOf(conversation)) : undefined;
  if (!tasks) return say(HELP);
  const results = turns
    .slice(asked + 1)
    .flatMap(resultsOf)
    .filter(({ defines }) => defines === undefined);
  const all = inTurn(tasks);
  let next = all.next();
  for (const result of results) {
    if (next.done) break;
    // What the user rejected is not tried in another way.
    if (result.status === 'denied') return say(sorry(result).text);
    next = all.next(result);
  }
  if (next.done) return say(next.value.text);
  const step = next.value;
  const isDefined = (name: string): boolean => [...tools, ...loaded].some((tool) => tool.name === name);
  if (isDefined(LOAD_TOOLS) && !isDefined(step.tool))
    return call(
      { say: `I ask for ${step.tool}.`, tool: LOAD_TOOLS, arguments: { names: [step.tool] } },
      turns.length,
    );
  return call(step, results.length);
}

function resultsOf(turn: Turn): readonly ToolResult[] {
  return turn.type === 'results' ? turn.results : [];
}

function surroundingsOf({ situation = '' }: Conversation): Surroundings {
  return { isWindows: situation.includes('The system is win32') };
}

function say(text: string): readonly RenderedPart[] {
  return [{ type: 'text', text }];
}

function call(step: Step, round: number): readonly RenderedPart[] {
  return [
    { type: 'text', text: step.say },
    { type: 'call', call: { id: `demo_${round + 1}`, name: step.tool, arguments: step.arguments } },
  ];
}

/** Runs tasks in order until one fails. */
function* inTurn(tasks: readonly Task[]): Task {
  const answers: string[] = [];
  for (const task of tasks) {
    const answer = yield* task;
    if (answer.text !== '') answers.push(answer.text);
    if (answer.hasStopped) break;
  }
  return { text: answers.join('\n\n') };
}

/** `undefined` if the demo does not know the sentence, or a part of it. */
function readTasks(text: string, surroundings: Surroundings): readonly Task[] | undefined {
  const sentences = splitSentences(text.trim());
  const tasks = sentences.map((sentence, at) =>
    readTask(sentence.trim(), at === sentences.length - 1, surroundings),
  );
  return tasks.every((task) => task !== undefined) ? tasks : undefined;
}

/** Splits at `then`, but not inside quotes. */
function splitSentences(text: string): string[] {
  const sentences = [''];
  for (const piece of text.split(/('[^']*'|\s+then\s+)/)) {
    if (/^\s+then\s+$/.test(piece)) sentences.push('');
    else sentences.push(`${sentences.pop() ?? ''}${piece}`);
  }
  return sentences;
}

function readTask(sentence: string, isLast: boolean, surroundings: Surroundings): Task | undefined {
  for (const [pattern, begin] of TASKS) {
    const match = pattern.exec(sentence);
    if (match) return begin(match[1] ?? '', surroundings);
  }
  const step = readSentence(sentence);
  return step && makeCall(step, isLast);
}

/** Understands plain sentences; quotes around a name are not part of it. */
const TASKS: readonly (readonly [RegExp, (name: string, surroundings: Surroundings) => Task])[] = [
  [/^explain (?:the )?(?:this )?project[.!]?$/i, () => explainProject()],
  [
    /^what (?:is|does) this (?:project|folder|workspace)(?: do| about)?(?:, and how is it built)?[?.]?$/i,
    () => explainProject(),
  ],
  [/^explain (?:the file )?[`"']?([^`"']+?)[`"']?[.!]?$/i, (path) => explainFile(path)],
  [/^what does [`"']?([^`"' ]+)[`"']? do[?.]?$/i, (path) => explainFile(path)],
  [
    /^run (?:all )?(?:the|my) tests(?:,? and (?:then )?fix (?:what fails|what failed|them|it|the failures?|what is broken))?[.!]?$/i,
    (_, surroundings) => runTests(surroundings),
  ],
  [/^fix (?:the (?:failing )?tests?|what fails)[.!]?$/i, (_, surroundings) => runTests(surroundings)],
  [/^find (?:out )?where [`"']?([^`"' ]+)[`"']? is used[.!?]?$/i, (name) => findUses(name)],
  [/^where is [`"']?([^`"' ]+)[`"']? used[.!?]?$/i, (name) => findUses(name)],
  [/^find (?:all )?(?:the )?uses of [`"']?([^`"' ]+?)[`"']?[.!]?$/i, (name) => findUses(name)],
];

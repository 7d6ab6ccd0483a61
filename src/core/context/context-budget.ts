import type { JsonObject } from '../../base/json';
import { entryTurns, sentParts } from '../transcript/history';
import type { Entry, Transcript } from '../transcript/transcript';
import type { Turn } from '../words/messages';
import type {
  Conversation,
  PromptForm,
  RequestParts,
  RequestShares,
  RequestSize,
  Usage,
} from '../words/model';
import type { Protocol } from '../words/protocol';
import { LOAD_TOOLS, type ToolSpec } from '../words/tool';
import { Calibration, type Factors } from './calibration';
import { emptyMemory, KnownWindow, type ContextMemory, type ContextWindow } from './known-window';
import { PrefixWatch } from './prefix-watch';
import { shortfall, type Shortfall } from './shortfall';
import { IMAGE_TOKENS, imagesOf, MOST_IMAGES, shortenResults, withNewestImages } from './shorten-results';

/** Tokens of the note that something was left out. */
const NOTE_TOKENS = 40;

/** Tokens that the template adds to each message. */
const MESSAGE_TOKENS = 4;

/** Shorter requests say nothing about a tokenizer: what templates add outweighs the text. */
const TELLING = 1_000;

/** A smaller change of a factor is not saved. */
const WORTH_KEEPING = 0.02;

/** Share of the history's room that the results of one reply may take together. */
const RESULTS_SHARE = 0.4;

/** An entry as it is sent to the model. */
interface Measured {
  readonly turns: readonly Turn[];
  /** As estimated, without learned factors. */
  readonly tokens: number;
  /** Tokens of calls and results among them. */
  readonly calls: number;
  readonly results: number;
}

/** What describes the tools to the model. */
interface Described {
  readonly text: string;
  readonly tokens: number;
  readonly definitions: number;
  readonly list: number;
}

const NO_TOOLS: Described = { text: '', tokens: 0, definitions: 0, list: 0 };

/** Renders the history so that it fits the model's window, measures it, and learns from the server's counts. */
export class ContextBudget {
  private readonly calibrations = new Map<string, Calibration>();
  /** For the protocol of the last request. */
  private calibration = new Calibration();
  /** The count at the last suspicion that something was cut off. */
  private suspected = Infinity;
  /** Tokens for the history, fixed by the first request: what was sent once must not change. */
  private room: number | undefined;
  private entries = new WeakMap<Entry, Measured>();
  private described = NO_TOOLS;

  private isShort = false;
  readonly window: KnownWindow;
  /** Compares consecutive requests of the user's own runs. */
  readonly prefix = new PrefixWatch();
  private readonly count: ContextWindow['count'];

  /**
   * `said` is the window that the profile or server states; what is learned about window and model goes to `memory`.
   */
  constructor(
    said: ContextWindow,
    private readonly memory: ContextMemory = emptyMemory(),
  ) {
    this.window = new KnownWindow(said, memory);
    this.count = said.count;
  }

  /** Learns that the window is smaller than known. Returns `true` if that is new. */
  learnWindow(tokens: number): boolean {
    if (!this.window.learn(tokens)) return false;
    // What fitted the larger window may not fit this one.
    this.room = undefined;
    return true;
  }

  /** Uses the short tool descriptions from now on, so that all later requests begin alike. */
  shorten(): void {
    this.isShort = true;
    this.room = undefined;
  }

  /** The form used to describe the tools, given the one asked for. */
  form(asked: PromptForm = 'full'): PromptForm {
    return this.isShort ? 'short' : asked;
  }

  /** The history, with results shortened to fit the window. What was sent once is sent the same again. */
  turns(transcript: Transcript): Turn[] {
    const { summary, entries } = sentParts(transcript);
    return withNewestImages([...summary, ...entries.flatMap((entry) => this.measured(entry).turns)]);
  }

  request(
    protocol: Protocol,
    { instructions, situation = '', tools, promptForm }: Omit<Conversation, 'turns'>,
    transcript: Transcript,
  ): RequestSize {
    const { tokens: described, definitions, list } = this.tools(protocol, tools, promptForm);
    const instructed = this.count(instructions) + this.count(situation) + MESSAGE_TOKENS;
    this.calibration = this.calibrationFor(protocol.id);
    if (this.window.tokens !== undefined && this.room === undefined) {
      this.room = Math.max(0, this.window.room - instructed - described);
      this.entries = new WeakMap();
    }
    const parts: RequestParts = {
      instructions: instructed,
      tools: described,
      conversation: this.rawHistory(transcript),
      areToolsApart: described > 0 && protocol.describeTools(tools, promptForm) === '',
      shares: { definitions, list, ...this.callsAndResults(transcript) },
    };
    const { factors } = this.calibration;
    const ofTools = described * factors.tools;
    return {
      total: whole(this.calibration.estimate(parts)),
      tools: whole(ofTools),
      fixed: whole(instructed * factors.instructions + ofTools),
      raw: instructed + described + parts.conversation,
      isRough: this.turns(transcript).some(hasImage),
      parts,
    };
  }

  history(transcript: Transcript): number {
    return this.scaled(this.rawHistory(transcript));
  }

  entry(entry: Entry): number {
    return this.scaled(this.measured(entry).tokens);
  }

  text(text: string): number {
    return this.scaled(this.count(text));
  }

  /** Learns from the server's count. If the count cannot be of the whole request, returns what is missing instead. */
  learn({ raw, isRough, parts }: RequestSize, { inputTokens }: Usage): Shortfall | undefined {
    if (isRough || !parts || inputTokens <= 0) return undefined;
    const { calibration } = this;
    const found = shortfall(parts, inputTokens, { calibration, window: this.window.tokens });
    if (found === 'tools-missing') return found;
    if (raw < TELLING) return undefined;
    // A server that cuts off the front counts the same each time. A growing count means that it read everything.
    const isGrowing = inputTokens > this.suspected * 1.1;
    if (found && !isGrowing) {
      this.suspected = inputTokens;
      return found;
    }
    this.suspected = Infinity;
    const before = calibration.isKnown ? calibration.factors : undefined;
    calibration.learn(parts, inputTokens);
    this.keep(before, calibration.factors);
    return undefined;
  }

  private calibrationFor(protocol: string): Calibration {
    const known = this.calibrations.get(protocol);
    if (known) return known;
    const { factors = {} } = this.memory.read();
    // The tokenizer is the same in every protocol; only the tool descriptions differ.
    const [other] = [...this.calibrations.values()].filter(({ isKnown }) => isKnown);
    const guess = other?.factors ?? Object.values(factors)[0];
    const calibration = new Calibration(
      Object.hasOwn(factors, protocol) ? factors[protocol] : undefined,
      guess && { ...guess, tools: guess.conversation },
    );
    this.calibrations.set(protocol, calibration);
    return calibration;
  }

  private keep(before: Factors | undefined, now: Factors): void {
    const [protocol] = [...this.calibrations].find(([, each]) => each === this.calibration) ?? [];
    const moved = (part: keyof Factors): boolean =>
      Math.abs(now[part] - (before?.[part] ?? 0)) >= WORTH_KEEPING;
    if (protocol === undefined || !(moved('instructions') || moved('tools') || moved('conversation'))) return;
    const learned = this.memory.read();
    this.memory.write({ ...learned, factors: { ...learned.factors, [protocol]: now } });
  }

  /** Shortens the results of an entry that was not sent yet to so many tokens. */
  truncateResults(entry: Entry, tokens: number): void {
    const turns = entryTurns(entry);
    const results = turns.find((turn) => turn.type === 'results');
    if (!results) return;
    const others = turns.filter((turn) => turn !== results).reduce((sum, turn) => sum + this.turn(turn), 0);
    const most = Math.max(
      0,
      tokens / this.calibration.factors.conversation - others - results.results.length * NOTE_TOKENS,
    );
    this.entries.set(entry, this.measure(turns, most));
  }

  private scaled(raw: number): number {
    return whole(raw * this.calibration.factors.conversation);
  }

  private rawHistory(transcript: Transcript): number {
    const { summary, entries } = sentParts(transcript);
    const start = summary.reduce((sum, turn) => sum + this.turn(turn), 0);
    const tokens = entries.reduce((sum, entry) => sum + this.measured(entry).tokens, start);
    const images = entries.reduce((sum, entry) => sum + imagesOf(this.measured(entry).turns).length, 0);
    return tokens - Math.max(0, images - MOST_IMAGES) * IMAGE_TOKENS;
  }

  private callsAndResults(transcript: Transcript): Pick<RequestShares, 'calls' | 'results'> {
    const measured = sentParts(transcript).entries.map((entry) => this.measured(entry));
    return {
      calls: sumOf(measured, ({ calls }) => calls),
      results: sumOf(measured, ({ results }) => results),
    };
  }

  /** A changed entry is a new object, so each is counted once. */
  private measured(entry: Entry): Measured {
    const known = this.entries.get(entry);
    if (known) return known;
    const measured = this.measure(entryTurns(entry), (this.room ?? Infinity) * RESULTS_SHARE);
    this.entries.set(entry, measured);
    return measured;
  }

  /** `most` limits the results of the entry together. */
  private measure(turns: readonly Turn[], most: number): Measured {
    const shortened = turns.map((turn) => shortenResults(turn, most, this.count));
    const calls = sumOf(shortened, (turn) => this.calls(turn));
    const plain = (turn: Turn): number => this.withoutCalls(turn);
    const results = sumOf(shortened.filter(isResults), plain);
    const others = sumOf(
      shortened.filter((turn) => !isResults(turn)),
      plain,
    );
    return { turns: shortened, tokens: calls + results + others, calls, results };
  }

  private turn(turn: Turn): number {
    return this.withoutCalls(turn) + this.calls(turn);
  }

  private calls(turn: Turn): number {
    if (turn.type !== 'reply') return 0;
    return sumOf(turn.parts, (part) =>
      part.type === 'call' ? this.call(part.call.name, part.call.arguments) : 0,
    );
  }

  private withoutCalls(turn: Turn): number {
    switch (turn.type) {
      case 'user': {
        const { text, attachments = [] } = turn;
        const attached = attachments.map((each) => {
          if (each.type === 'text') return this.count(each.text) + MESSAGE_TOKENS;
          return each.type === 'image' ? IMAGE_TOKENS : 0;
        });
        return attached.reduce((sum, tokens) => sum + tokens, this.count(text) + MESSAGE_TOKENS);
      }
      case 'reply':
        return (
          MESSAGE_TOKENS + sumOf(turn.parts, (part) => (part.type === 'text' ? this.count(part.text) : 0))
        );
      case 'results':
        return turn.results.reduce((sum, { result, images = [] }) => {
          return sum + this.count(result) + images.length * IMAGE_TOKENS + MESSAGE_TOKENS;
        }, 0);
    }
  }

  private call(name: string, args: JsonObject): number {
    return this.count(`${name} ${JSON.stringify(args)}`) + MESSAGE_TOKENS;
  }

  private tools(
    protocol: Protocol,
    tools: Conversation['tools'],
    form: Conversation['promptForm'],
  ): Described {
    if (tools.length === 0) return NO_TOOLS;
    const inText = protocol.describeTools(tools, form);
    const text = inText === '' ? tools.map((tool) => protocol.describeTool(tool, form)).join('\n') : inText;
    if (text === this.described.text) return this.described;
    const size = (tool: ToolSpec): number => this.count(protocol.describeTool(tool, form));
    const isList = ({ name }: ToolSpec): boolean => name === LOAD_TOOLS;
    this.described = {
      text,
      tokens: this.count(text),
      definitions: sumOf(
        tools.filter((tool) => !isList(tool)),
        size,
      ),
      list: sumOf(tools.filter(isList), size),
    };
    return this.described;
  }
}

function sumOf<T>(all: readonly T[], size: (each: T) => number): number {
  return all.reduce((sum, each) => sum + size(each), 0);
}

function isResults({ type }: Turn): boolean {
  return type === 'results';
}

/** Absorbs floating-point errors: they must not add a token. */
function whole(tokens: number): number {
  return Math.max(0, Math.ceil(tokens - 1e-6));
}

function hasImage(turn: Turn): boolean {
  if (turn.type === 'results') return turn.results.some(({ images }) => images !== undefined);
  return turn.type === 'user' && (turn.attachments ?? []).some(({ type }) => type === 'image');
}

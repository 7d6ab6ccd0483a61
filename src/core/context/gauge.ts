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

/** What the note takes that something was left out. */
const NOTE_TOKENS = 40;

/** What stands around every message. */
const MESSAGE_TOKENS = 4;

/** Requests below it say nothing of a tokenizer: what templates add counts for more than the text. */
const TELLING = 1_000;

/** A change of a factor below it is not worth keeping. */
const WORTH_KEEPING = 0.02;

/** The part of the room for the history that the results for one reply may take together. */
const RESULTS_SHARE = 0.4;

/** An entry as it goes to the model. */
interface Measured {
  readonly turns: readonly Turn[];
  /** As counted, without what was learned. */
  readonly tokens: number;
  /** Those of them that calls and results take. */
  readonly calls: number;
  readonly results: number;
}

/** What describes the tools. */
interface Described {
  readonly text: string;
  readonly tokens: number;
  readonly definitions: number;
  readonly list: number;
}

const NO_TOOLS: Described = { text: '', tokens: 0, definitions: 0, list: 0 };

/** Renders the history for one model so that it has room for it, measures it, and learns from what the server counts. */
export class Gauge {
  private readonly calibrations = new Map<string, Calibration>();
  /** Of the protocol of the last request. */
  private calibration = new Calibration();
  /** What was counted when it was last suspected that something was cut off. */
  private suspected = Infinity;
  /** Tokens for the history, as the first request left them: what was sent once must not change. */
  private room: number | undefined;
  private entries = new WeakMap<Entry, Measured>();
  private described = NO_TOOLS;

  private isShort = false;
  readonly window: KnownWindow;
  /** Compares the requests of the user's own runs with each other. */
  readonly prefix = new PrefixWatch();
  private readonly count: ContextWindow['count'];

  /** `said` is what profile or server say of the window; what is learned about it and the model goes into `memory`. */
  constructor(
    said: ContextWindow,
    private readonly memory: ContextMemory = emptyMemory(),
  ) {
    this.window = new KnownWindow(said, memory);
    this.count = said.count;
  }

  /** The window ends earlier than was known. `true` where that is news. */
  learnWindow(tokens: number): boolean {
    if (!this.window.learn(tokens)) return false;
    // What fitted the larger window may be too much for this one.
    this.room = undefined;
    return true;
  }

  /** From now on the tools are described in short, so that every request begins as the one before. */
  shorten(): void {
    this.isShort = true;
    this.room = undefined;
  }

  /** The form in which the tools are described, of the one that is asked for. */
  form(asked: PromptForm = 'full'): PromptForm {
    return this.isShort ? 'short' : asked;
  }

  /** The history with results that are no longer than the window allows. What was sent once is sent the same again. */
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

  /** Takes in what the server has counted, unless that cannot be all of the request: then says what is missing. */
  learn({ raw, isRough, parts }: RequestSize, { inputTokens }: Usage): Shortfall | undefined {
    if (isRough || !parts || inputTokens <= 0) return undefined;
    const { calibration } = this;
    const found = shortfall(parts, inputTokens, { calibration, window: this.window.tokens });
    if (found === 'tools-missing') return found;
    if (raw < TELLING) return undefined;
    // A server that cuts off the front counts the same each time; one whose count grows has read everything.
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
    // The tokenizer is the same in every protocol; only the tools are described in another way.
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

  /** Leaves more out of the results of an entry that no request has held yet, so that it takes so many tokens. */
  squeeze(entry: Entry, tokens: number): void {
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

  /** An entry that changes becomes another object, so each is counted once. */
  private measured(entry: Entry): Measured {
    const known = this.entries.get(entry);
    if (known) return known;
    const measured = this.measure(entryTurns(entry), (this.room ?? Infinity) * RESULTS_SHARE);
    this.entries.set(entry, measured);
    return measured;
  }

  /** `most` is for the results of the entry together. */
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

/** What floating point adds to a whole number is no token. */
function whole(tokens: number): number {
  return Math.max(0, Math.ceil(tokens - 1e-6));
}

function hasImage(turn: Turn): boolean {
  if (turn.type === 'results') return turn.results.some(({ images }) => images !== undefined);
  return turn.type === 'user' && (turn.attachments ?? []).some(({ type }) => type === 'image');
}

import type { PreparedCall, Preview } from '../../words/tool';
import type { ToolCall } from '../../words/messages';
import { isRenaming } from '../first-look';
import { brokenBracket, definedNames } from './code-shape';

type Diff = Extract<Preview, { readonly type: 'diff' }>;

/** Characters of a file that a refusal shows. */
const SHOWN = 3_000;
/** Lines that a refusal lists. */
const LISTED = 8;

/**
 * Looks at each change of a small model before it is made, so that a right file is not destroyed. Some changes are never
 * made; most are only held back once, because the task may ask for them, and made when the model writes them again.
 */
export class ChangeGuard {
  private readonly asked = new Set<string>();
  /** Calls that were held back once, by their ids. */
  private readonly heldBack = new Set<string>();
  /** Files that the model has seen, the last one last. */
  readonly seen = new Set<string>();
  /** Those whose text is as the model has seen it. */
  readonly fresh = new Set<string>();
  /** By file, the lines that this run wrote. */
  private readonly written = new Map<string, ReadonlySet<string>>();

  /** The wire name of the tool whose last change was not made. */
  refused: string | undefined;

  /** `isTask`: the message asks for more than an answer. */
  constructor(
    private readonly message: string,
    private readonly isTask: boolean,
  ) {}

  /** Why a change is not made, for the model; nothing if it is to be made. */
  refusal(call: ToolCall, { preview }: PreparedCall): string | undefined {
    if (preview?.type !== 'diff') return undefined;
    const repeated = alreadyThere(preview);
    const never =
      same(preview) ??
      broken(preview) ??
      this.stillUsed(preview) ??
      (repeated?.isAlways ? repeated.refusal : undefined);
    this.refused = never === undefined ? undefined : call.name;
    if (never !== undefined) return never;
    const once =
      this.once('question', '', this.unasked()) ??
      this.once('twice', preview.path, repeated?.refusal) ??
      this.once('unread', preview.path, this.unread(call, preview)) ??
      this.once('lost', preview.path, this.lost(preview)) ??
      this.once('own', preview.path, this.own(preview));
    if (once !== undefined) {
      this.heldBack.add(call.id);
      this.refused = call.name;
    }
    return once;
  }

  /** Whether the same call will be made when it comes again. */
  mayRepeat({ id }: ToolCall): boolean {
    return this.heldBack.has(id);
  }

  /** Called when a call has run. */
  ran({ preview, accesses }: PreparedCall): void {
    this.refused = undefined;
    // A command may have changed any file.
    if (accesses.some(({ kind }) => kind === 'command')) this.fresh.clear();
    for (const { effect, target } of accesses) if (effect === 'read') this.see(target);
    if (preview?.type !== 'diff') return;
    const { path, before, after } = preview;
    this.see(path);
    const old = new Set(linesOf(before));
    const fresh = linesOf(after).filter((line) => !old.has(line));
    this.written.set(path, new Set([...(this.written.get(path) ?? []), ...fresh]));
  }

  /** Called when a call could not be prepared: its error shows the file. */
  failed({ arguments: { path } }: ToolCall): void {
    if (typeof path === 'string') this.seen.add(path);
  }

  private see(path: string): void {
    this.seen.delete(path);
    this.seen.add(path);
    this.fresh.add(path);
  }

  private once(why: string, path: string, refusal: string | undefined): string | undefined {
    const key = JSON.stringify([why, path]);
    if (refusal === undefined || this.asked.has(key)) return undefined;
    this.asked.add(key);
    return refusal;
  }

  /** A definition would be gone that the file still uses: it could not run. */
  private stillUsed({ path, before, after }: Diff): string | undefined {
    if (isRenaming(this.message)) return undefined;
    const left = definedNames(after);
    const words = new Set(after.match(/[A-Za-z_$][\w$]*/g));
    const gone = [...definedNames(before)].filter((name) => !left.has(name) && words.has(name));
    // A name that is too common may be another one.
    const sure = gone.filter((name) => name.length > 2);
    if (sure.length === 0) return undefined;
    return `Not changed: this would remove ${sure.join(', ')}, which ${path} still uses.${shown(path, before)}\nChange only the lines that the task is about, or add lines.`;
  }

  private unasked(): string | undefined {
    if (this.isTask) return undefined;
    return `Not changed: this asks for an answer, not for a change.\n${this.message}`;
  }

  private unread({ name }: ToolCall, { path, before }: Diff): string | undefined {
    if (name !== 'write_file' || before.trim() === '' || this.seen.has(path)) return undefined;
    return `Not written: ${path} exists already, and you have not read it.${shown(path, before)}\nWrite the whole file with everything that stays, or change a part of it.`;
  }

  /** Definitions that the task does not name, or more than half of the lines, would be gone. */
  private lost({ path, before, after }: Diff): string | undefined {
    const left = definedNames(after);
    const names = [...definedNames(before)].filter((name) => !left.has(name) && !this.message.includes(name));
    const stay = new Set(linesOf(after));
    const old = linesOf(before);
    const gone = old.filter((line) => !stay.has(line));
    if (names.length === 0 && gone.length <= Math.max(2, old.length / 2)) return undefined;
    const what = names.length > 0 ? names.join(', ') : ['these lines:', ...gone.slice(0, LISTED)].join('\n');
    return `Not changed: this would remove ${what}${shown(path, before)}\nWrite it again so that everything else stays; if the task asks to remove it, write the same again.`;
  }

  private own({ path, before, after }: Diff): string | undefined {
    const written = this.written.get(path);
    if (!written) return undefined;
    const stay = new Set(linesOf(after));
    if (!linesOf(before).some((line) => written.has(line) && !stay.has(line))) return undefined;
    return `Not changed: you wrote these lines yourself a moment ago. The task was:\n${this.message}\nIf ${path} is right as it is, finish now; if not, write the same again.`;
  }
}

function same({ path, before, after }: Diff): string | undefined {
  if (before !== after || before === '') return undefined;
  return `Nothing is different: ${path} has exactly this text. If the task is done, finish now; if not, change what it asks for.`;
}

function broken({ path, before, after }: Diff): string | undefined {
  const bracket = brokenBracket(path, before, after);
  if (bracket === undefined) return undefined;
  return `Not changed: with this, ${path} would have ${bracket}. Take whole blocks of lines.${shown(path, before)}`;
}

interface Repeated {
  readonly refusal: string;
  /** Nobody would write the same lines twice in a row. */
  readonly isAlways: boolean;
}

/** Lines that are added although the file has them. */
function alreadyThere({ path, before, after }: Diff): Repeated | undefined {
  if (after.length <= before.length) return undefined;
  const [old, lines] = [linesOf(before), linesOf(after)];
  const count = lines.length - old.length;
  const start = old.findIndex((line, at) => line !== lines[at]);
  const from = start < 0 ? old.length : start;
  const isInsertion = count > 0 && old.slice(from).every((line, at) => line === lines[from + count + at]);
  const added = lines.slice(from, from + count);
  if (!isInsertion || added.every((line) => !/\w/.test(line))) return undefined;
  const isBeside = added.every((line, at) => line === lines[from - count + at]);
  if (isBeside)
    return {
      isAlways: true,
      refusal: `Nothing to do: these lines are in ${path} already. If that was the whole task, finish now.`,
    };
  const known = new Set(old);
  const isCopy = added.length > 1 && added.every((line) => known.has(line));
  if (!isCopy) return undefined;
  return {
    isAlways: false,
    refusal: `Not changed: these lines are in ${path} already, so they would be there twice.${shown(path, before)}`,
  };
}

/** Without blank lines and indentation. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function shown(path: string, text: string): string {
  return `\n${path} is:\n${text.slice(0, SHOWN).trimEnd()}`;
}

import type { Verdict } from '../../core/words/verdict';
import { ask } from '../verdicts';
import { whyBeyondSandbox, type SandboxReach } from './beyond-sandbox';
import { runsProjectCode } from './programs';
import { startedPrograms } from './started-programs';

/** Where there is a sandbox: what the user lets commands do in it, and what the call asks for. */
export interface SandboxRules extends SandboxReach {
  /** Commands in it run without a question. */
  readonly runUnasked: boolean;
  /** The model asks that this one runs outside. */
  readonly wantsOutside: boolean;
  /** It would start in a folder that the sandbox does not show. */
  readonly isElsewhere: boolean;
  /** What the user's rules for commands outside say about it. */
  readonly outside: Verdict;
}

interface PlacedVerdict {
  readonly verdict: Verdict;
  readonly isInside: boolean;
}

/**
 * Whether a command runs in the sandbox, and whether it asks. `judged` is what the rules say without one, never a denial. A
 * command is never let outside because it could not be held inside.
 */
export function placeCommand(
  judged: Verdict,
  commands: readonly (readonly string[])[],
  rules: SandboxRules,
): PlacedVerdict {
  if (rules.wantsOutside)
    return { verdict: ask('the model asks to run it outside the sandbox'), isInside: false };
  if (rules.outside.decision === 'auto') return { verdict: rules.outside, isInside: false };
  const why = rules.isElsewhere ? 'its folder lies outside the workspace' : whyBeyondSandbox(commands, rules);
  if (why !== undefined) {
    const reason = `${why}, so it would run outside the sandbox`;
    return { verdict: ask(reason), isInside: false };
  }
  if (!rules.runUnasked) return { verdict: judged, isInside: true };
  return { verdict: { decision: 'auto', reason: 'it runs in the sandbox' }, isInside: true };
}

/** Files that decide what runs, changed by commands in the sandbox since the user last agreed to what runs them outside. */
export class ChangedInSandbox {
  private readonly files = new Set<string>();

  add(files: readonly string[]): void {
    for (const file of files) this.files.add(file);
  }

  /** What the user is asked about a command outside that would run one of them, whatever rules say. */
  question(commands: readonly (readonly string[])[]): string | undefined {
    const [file] = this.files;
    const runsThem = commands.some((texts) =>
      startedPrograms(texts).some(({ at }) => runsProjectCode(texts.slice(at))),
    );
    if (file === undefined || !runsThem) return undefined;
    const reason = `a command in the sandbox has changed ${file}, which decides what this runs`;
    return reason;
  }

  /** The user has agreed to what runs them. */
  forget(): void {
    this.files.clear();
  }
}

import { visibleName } from '../../base/text';
import type { Verdict } from '../../core/words/verdict';
import { ask } from '../verdicts';
import { whyBeyondSandbox, type SandboxReach } from './beyond-sandbox';
import { runsProjectCode } from './programs';
import { startedPrograms } from './started-programs';

/** If there is a sandbox: what the user lets commands do in it, and what the call asks for. */
export interface SandboxRules extends SandboxReach {
  /** Commands in it run without a question. */
  readonly runUnasked: boolean;
  /** The model asks to run this command outside. */
  readonly wantsOutside: boolean;
  /** It would start in a folder that the sandbox does not show. */
  readonly isElsewhere: boolean;
  /** The verdict of the user's rules for commands outside the sandbox. */
  readonly outside: Verdict;
}

interface PlacedVerdict {
  readonly verdict: Verdict;
  readonly isInside: boolean;
}

/**
 * Whether a command runs in the sandbox, and whether it asks. `judged` is the verdict of the rules without a sandbox,
 * never a denial. A command never runs outside because the sandbox failed.
 */
export function placeCommand(
  judged: Verdict,
  commands: readonly (readonly string[])[],
  rules: SandboxRules,
): PlacedVerdict {
  if (rules.wantsOutside)
    return { verdict: ask('the model asks to run it outside the sandbox'), isInside: false };
  if (rules.outside.decision === 'auto') return { verdict: rules.outside, isInside: false };
  const why = rules.isElsewhere ? 'its folder is outside the workspace' : whyBeyondSandbox(commands, rules);
  if (why !== undefined) {
    const reason = `${why}, so it would run outside the sandbox`;
    return { verdict: ask(reason), isInside: false };
  }
  if (!rules.runUnasked) return { verdict: judged, isInside: true };
  return { verdict: { decision: 'auto', reason: 'it runs in the sandbox' }, isInside: true };
}

/**
 * Files that decide what runs, changed in the sandbox since the user last agreed to a command that runs them outside.
 */
export class ChangedInSandbox {
  private readonly files = new Set<string>();

  add(files: readonly string[]): void {
    for (const file of files) this.files.add(file);
  }

  /** What to ask the user about a command outside that would run one of them, regardless of rules. */
  question(commands: readonly (readonly string[])[]): string | undefined {
    const [file] = this.files;
    const runsThem = commands.some((texts) =>
      startedPrograms(texts).some(({ at }) => runsProjectCode(texts.slice(at))),
    );
    if (file === undefined || !runsThem) return undefined;
    const reason = `a command in the sandbox changed ${visibleName(file)}, which decides what this command runs`;
    return reason;
  }

  /** The user has agreed to a command that runs them. */
  forget(): void {
    this.files.clear();
  }
}

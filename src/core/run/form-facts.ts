import type { WorkspaceFacts } from '../words/workspace-facts';
import type { AgentOptions } from './agent-options';
import type { ChangeGuard } from './changes/change-guard';
import { pathsIn } from './first-look';
import { pathTexts } from './since-message';

/** With more files, a form costs more time than it saves. */
const MOST_FILES = 2_000;
/** Files whose lines a form knows. */
const MOST_TEXTS = 3;

/** What forms know of the workspace in one run; the same object as long as nothing has changed. */
export class FormFacts {
  private last: { readonly key: string; readonly facts: WorkspaceFacts } | undefined;

  constructor(
    private readonly options: Pick<AgentOptions, 'tools' | 'conversation'>,
    private readonly guard: Pick<ChangeGuard, 'seen' | 'fresh'>,
  ) {}

  async now(): Promise<WorkspaceFacts> {
    const { tools, conversation } = this.options;
    const looked = [...this.guard.seen];
    const texts = new Map<string, string>();
    for (const path of looked.slice(-MOST_TEXTS)) {
      const text = await tools.fileText?.(path);
      if (text !== undefined) texts.set(path, text);
    }
    const listed = tools.files ?? [];
    const named = pathTexts(conversation).flatMap(pathsIn).filter(isPath);
    const known = new Set([...listed, ...texts.keys(), ...named]);
    const files = [...known].sort();
    // A failed edit may have named a file that there is not.
    const seen = looked.filter((path) => known.has(path));
    const isKnown = listed.length > 0 && files.length <= MOST_FILES;
    const read = new Set([...texts.keys()].filter((path) => this.guard.fresh.has(path)));
    const key = JSON.stringify([isKnown && files, [...texts], [...read], seen]);
    if (this.last?.key !== key) this.last = { key, facts: { ...(isKnown && { files }), texts, read, seen } };
    return this.last.facts;
  }
}

/** A word with a dot in it is rarely a sentence's end. */
function isPath(text: string): boolean {
  return /\/|\w\.[A-Za-z]\w*$/.test(text);
}

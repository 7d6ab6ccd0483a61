import type { GivenRules, ToolResult, Turn } from '../words/messages';
import type { PreparedCall } from '../words/tool';
import { rulesSection, type RulesFile } from './instructions';

/** Rules of folders below the workspace folders: they are added to the first result about them. */
export interface FolderRules {
  /**
   * The rules files from the workspace folders down to these places. `given` returns those the model has; it is called
   * only if any are found.
   */
  readonly find: (
    places: readonly string[],
    given: () => readonly GivenRules[],
  ) => Promise<readonly RulesFile[]>;
}

/** The rules in the history as it is sent: those that a summary removed are sent again. */
export function rulesGiven(turns: readonly Turn[]): readonly GivenRules[] {
  return turns.flatMap((turn) =>
    turn.type === 'results' ? turn.results.flatMap(({ rules = [] }) => rules) : [],
  );
}

/** The files and folders that a call is about. */
export function placesOf({ accesses }: PreparedCall): readonly string[] {
  return accesses
    .filter(({ kind }) => kind === 'path' || kind === 'edit' || kind === 'move')
    .map(({ target }) => target);
}

/** A result's text, followed by the rules that the model does not have yet. */
export function withRules(
  text: string,
  found: readonly RulesFile[],
  given: readonly GivenRules[],
): Pick<ToolResult, 'result' | 'rules'> {
  const files = found.filter((file) => !given.some((each) => each.file === fileOf(file)));
  if (files.length === 0) return { result: text };
  return {
    result: [text, ...files.map(rulesSection)].join('\n\n'),
    rules: files.map((file) => ({ file: fileOf(file), characters: file.text.length })),
  };
}

export function fileOf({ folder, name }: RulesFile): string {
  return `${folder}/${name}`;
}

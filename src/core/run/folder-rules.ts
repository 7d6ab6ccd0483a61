import type { GivenRules, ToolResult, Turn } from '../words/messages';
import type { PreparedCall } from '../words/tool';
import { rulesSection, type RulesFile } from './instructions';

/** What folders below those of the workspace ask for: their rules come with the first result that is about them. */
export interface FolderRules {
  /**
   * The rules files on the way from the folders of the workspace to these places. `given` says which of them the model
   * has; it is asked only where there are any.
   */
  readonly find: (
    places: readonly string[],
    given: () => readonly GivenRules[],
  ) => Promise<readonly RulesFile[]>;
}

/** The rules that the history holds as it is sent: what a summary has taken away comes again. */
export function rulesGiven(turns: readonly Turn[]): readonly GivenRules[] {
  return turns.flatMap((turn) =>
    turn.type === 'results' ? turn.results.flatMap(({ rules = [] }) => rules) : [],
  );
}

/** The places of files and folders that a call is about. */
export function placesOf({ accesses }: PreparedCall): readonly string[] {
  return accesses
    .filter(({ kind }) => kind === 'path' || kind === 'edit' || kind === 'move')
    .map(({ target }) => target);
}

/** The text of a result with the rules behind it that the model does not have. */
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

import * as vscode from 'vscode';
import type { LabRun } from '../../contract/lab-run';
import { limits } from '../../policy/limits';

/** Where the workspace keeps them. */
const KEY = 'lab.runs';

/** The last runs, newest first. After a reload long results are cut, and images are gone. */
export class KeptRuns implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private list: readonly LabRun[];

  readonly onChange = this.changed.event;

  constructor(private readonly state: vscode.Memento) {
    this.list = state.get<readonly LabRun[]>(KEY, []);
  }

  get runs(): readonly LabRun[] {
    return this.list;
  }

  add(run: Omit<LabRun, 'id'>): void {
    const id = (this.list[0]?.id ?? 0) + 1;
    this.set([{ ...run, id }, ...this.list].slice(0, limits.labRuns));
  }

  forget(): void {
    this.set([]);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private set(list: readonly LabRun[]): void {
    this.list = list;
    void this.state.update(KEY, list.flatMap(toKeep));
    this.changed.fire(undefined);
  }
}

/** VS Code reads it whole at every start, so it stays small. */
function toKeep(run: LabRun): readonly LabRun[] {
  const { images: _, result, ...others } = run.result;
  const most = limits.labKeptCharacters;
  // Arguments that are cut would be others.
  if (JSON.stringify(run.arguments).length > most) return [];
  const text = result.length <= most ? result : `${result.slice(0, most)}\n${cutNote(result.length - most)}`;
  return [{ ...run, result: { ...others, result: text } }];
}

function cutNote(characters: number): string {
  return vscode.l10n.t(
    '[{0} characters were not kept over the reload. Run it again to see them.]',
    characters,
  );
}

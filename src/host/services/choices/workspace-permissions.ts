import { createHash } from 'node:crypto';
import type * as vscode from 'vscode';
import type { AllowCommands } from '../../../core/words/verdict';

/** A rule that the user allowed in this workspace. */
export interface PermittedRule {
  readonly text: string;
  readonly runsCode: boolean;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/**
 * Commands that the user allowed in this workspace: in Parley's own storage, by the folders that are open, so that no
 * file of a workspace can hold or change one. With another folder beside it, it is another workspace.
 */
export class WorkspacePermissions {
  constructor(
    private readonly memory: vscode.Memento,
    private readonly folders: () => readonly string[],
  ) {}

  get rules(): readonly PermittedRule[] {
    return this.folders().length === 0 ? [] : this.memory.get<readonly PermittedRule[]>(this.key, []);
  }

  /** As the policy takes it; none if nothing is allowed. */
  get grants(): readonly AllowCommands[] {
    const { rules } = this;
    return rules.length === 0 ? [] : [{ type: 'allow-commands', scope: 'workspace', rules }];
  }

  async add({ rules }: AllowCommands, now = Date.now()): Promise<void> {
    const known = this.rules;
    const added = rules.filter(({ text }) => known.every((each) => each.text !== text));
    await this.write([...known, ...added.map((rule) => ({ ...rule, since: now }))]);
  }

  async remove(text: string): Promise<void> {
    await this.write(this.rules.filter((rule) => rule.text !== text));
  }

  private async write(rules: readonly PermittedRule[]): Promise<void> {
    if (this.folders().length === 0) return;
    await this.memory.update(this.key, rules.length === 0 ? undefined : rules);
  }

  private get key(): string {
    const folders = this.folders().toSorted().join('\n');
    return `permissions ${createHash('sha256').update(folders).digest('hex').slice(0, 32)}`;
  }
}

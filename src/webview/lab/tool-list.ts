import { signal } from '@preact/signals';
import type { LabTool, LabToolset } from '../../contract/lab-tools';
import type { LabState } from './lab-state';

/** The tools of the window, as the host has listed them last. */
export class ToolList {
  readonly toolsets = signal<readonly LabToolset[]>([]);
  /** `false` until the host has answered. */
  readonly isLoaded = signal(false);
  /** Why there is no list. */
  readonly problem = signal('');

  constructor(private readonly lab: LabState) {
    lab.onNews(({ type }) => {
      if (type === 'tools-changed') this.load();
    });
  }

  load(): void {
    void this.lab.request<'list-tools'>({ type: 'list-tools' }).then((answer) => {
      this.isLoaded.value = true;
      this.problem.value = answer.ok ? '' : answer.problem;
      if (answer.ok) this.toolsets.value = answer.value;
    });
  }

  get all(): readonly LabTool[] {
    return this.toolsets.value.flatMap(({ tools }) => tools);
  }

  /** By wire name or qualified name. */
  find(name: string): LabTool | undefined {
    return (
      this.all.find((tool) => tool.name === name) ?? this.all.find((tool) => tool.qualifiedName === name)
    );
  }
}

import type { DiscoveredToolset } from '../tools/registry';
import type { SettingsStore } from './settings';
import type { WindowTools } from './window-tools';

type Toggles = Readonly<Record<string, boolean>>;

/** Writes the tools' switches. It only writes settings: tree, registry and prompt change because the setting did. */
export class ToolToggles {
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: SettingsStore,
    private readonly tools: WindowTools,
  ) {}

  async setTool(name: string, isOn: boolean): Promise<void> {
    await this.change((own) => ({ ...own, [name]: isOn }));
  }

  /** Switches a toolset; what was said about its single tools gives way. */
  async setToolset(id: string, isOn: boolean): Promise<void> {
    const toolsets = await this.toolsets();
    await this.change((own) =>
      this.withToolsets(
        own,
        toolsets.filter((each) => each.toolsetId === id),
        isOn,
      ),
    );
  }

  async setAll(isOn: boolean): Promise<void> {
    const toolsets = await this.toolsets();
    await this.change(() => this.withToolsets({}, toolsets, isOn));
  }

  async reset(): Promise<void> {
    await this.change(() => undefined);
  }

  private withToolsets(own: Toggles, toolsets: readonly DiscoveredToolset[], isOn: boolean): Toggles {
    const names = toolsets.flatMap(({ methods }) => methods.map(({ spec }) => spec.name));
    const kept = Object.entries(own).filter(([key]) => !names.includes(key));
    // Where the user's settings name a tool, only its name can win against them.
    const outer = this.settings.get('toolCalling.toolToggles');
    const named = names.filter(
      (name) => !Object.hasOwn(own, name) && Object.hasOwn(outer, name) && outer[name] !== isOn,
    );
    return Object.fromEntries([
      ...kept,
      ...toolsets.map(({ toolsetId }) => [toolsetId, isOn] as const),
      ...named.map((name) => [name, isOn] as const),
    ]);
  }

  /** One change after another, so that quick clicks do not undo each other. */
  private change(next: (own: Toggles) => Toggles | undefined): Promise<void> {
    const write = async (): Promise<void> => {
      const toggles = next(this.settings.chosen('toolCalling.toolToggles') ?? {});
      await this.settings.choose('toolCalling.toolToggles', toggles && { ...toggles });
    };
    const written = this.writing.then(write);
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async toolsets(): Promise<readonly DiscoveredToolset[]> {
    return (await this.tools.get()).getDiscoveredMethods();
  }
}

import type { DiscoveredToolset } from '../tools/registry';
import type { SettingsStore } from './settings';
import type { WindowTools } from './window-tools';

/** Writes the tools' switches. It only writes settings: tree, registry and prompt change because the setting did. */
export class ToolToggles {
  constructor(
    private readonly settings: SettingsStore,
    private readonly tools: WindowTools,
  ) {}

  async setTool(name: string, isOn: boolean): Promise<void> {
    await this.write({ ...this.own(), [name]: isOn });
  }

  /** Switches a toolset; what was said about its single tools gives way. */
  async setToolset(id: string, isOn: boolean): Promise<void> {
    const toolset = (await this.toolsets()).find((each) => each.toolsetId === id);
    const names = toolset?.methods.map(({ spec }) => spec.name) ?? [];
    const own = Object.entries(this.own()).filter(([key]) => !names.includes(key));
    await this.write({ ...Object.fromEntries(own), [id]: isOn });
  }

  async setAll(isOn: boolean): Promise<void> {
    await this.write(Object.fromEntries((await this.toolsets()).map((each) => [each.toolsetId, isOn])));
  }

  async reset(): Promise<void> {
    await this.settings.choose('toolCalling.toolToggles', undefined);
  }

  private own(): Readonly<Record<string, boolean>> {
    return this.settings.chosen('toolCalling.toolToggles') ?? {};
  }

  private async toolsets(): Promise<readonly DiscoveredToolset[]> {
    return (await this.tools.get()).getDiscoveredMethods();
  }

  private async write(toggles: Readonly<Record<string, boolean>>): Promise<void> {
    await this.settings.choose('toolCalling.toolToggles', { ...toggles });
  }
}

import { toggleKey, type Toggles } from '../../core/words/config';
import type { Tool } from '../../core/words/tool';
import { isSwitchedOn, type DiscoveredToolset } from '../../tools/registry';
import type { SettingsPlace, SettingsStore } from '../window/settings';
import type { WindowTools } from './window-tools';

/** What has a switch. */
export type ToolRow = DiscoveredToolset | Tool;

export function isToolset(row: ToolRow): row is DiscoveredToolset {
  return 'methods' in row;
}

/** The one that wins first. */
const PLACES: readonly SettingsPlace[] = ['workspace', 'user'];

/** The setting that decides whether a tool is on. */
export interface ToggleSource {
  /** A wire name, or the id of a toolset. */
  readonly key: string;
  readonly place: SettingsPlace;
}

interface ToolTogglesParts {
  readonly settings: Pick<SettingsStore, 'get' | 'chosen' | 'choose' | 'choicePlace'>;
  readonly tools: Pick<WindowTools, 'get'>;
  /**
   * Where a click is written: where the user's choices for this window belong, unless that does not count now. Then the
   * user is asked; `undefined` writes nothing.
   */
  readonly placeForClick: () => Promise<SettingsPlace | undefined>;
}

/** Writes the tools' switches. It only writes settings: tree, registry and prompt change because the setting did. */
export class ToolToggles {
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ToolTogglesParts) {}

  async setTool(name: string, isOn: boolean): Promise<void> {
    await this.setTools([name], isOn);
  }

  async setTools(names: readonly string[], isOn: boolean): Promise<void> {
    await this.click((own) => ({ ...own, ...Object.fromEntries(names.map((name) => [name, isOn])) }));
  }

  /** Switches a toolset; what was said about its single tools gives way. */
  async setToolset(id: string, isOn: boolean): Promise<void> {
    const toolsets = await this.toolsets();
    await this.click((own, place) =>
      this.withToolsets(
        own,
        toolsets.filter((each) => each.toolsetId === id),
        { isOn, place },
      ),
    );
  }

  async setAll(isOn: boolean): Promise<void> {
    const toolsets = await this.toolsets();
    await this.click((_, place) => this.withToolsets({}, toolsets, { isOn, place }));
  }

  async reset(): Promise<void> {
    await this.click(() => undefined);
  }

  /** As the settings say. */
  isOn(tool: Tool): boolean {
    const { settings } = this.parts;
    return isSwitchedOn(tool, {
      toolToggles: settings.get('toolCalling.toolToggles'),
      defaultToolEnabled: settings.get('toolCalling.defaultToolEnabled'),
    });
  }

  /** Which setting says so; none where it is the default. */
  sourceOf(tool: Tool): ToggleSource | undefined {
    const key = toggleKey(tool, this.parts.settings.get('toolCalling.toolToggles'));
    return key === undefined ? undefined : { key, place: this.placesOfKeys([key])[0] ?? 'user' };
  }

  /** Where something is written about a row, the place that wins first. */
  placesOf(row: ToolRow): readonly SettingsPlace[] {
    return this.placesOfKeys(keysOf(row));
  }

  /** Writes how a row is switched now to this place and no other, so that it counts from there. */
  async keep(row: ToolRow, place: SettingsPlace): Promise<void> {
    const kept = this.stateOf(row);
    const keys = keysOf(row);
    await this.change(place, (own) => ({ ...without(own, keys), ...kept }));
    for (const other of this.placesOf(row)) {
      if (other !== place) await this.change(other, (own) => without(own, keys));
    }
  }

  /** Takes away what is written about a row, wherever it is written. */
  async forget(row: ToolRow): Promise<void> {
    const keys = keysOf(row);
    for (const place of this.placesOf(row)) await this.change(place, (own) => without(own, keys));
  }

  /** The toggles that leave a row as it is, whatever the default. */
  private stateOf(row: ToolRow): Toggles {
    if (!isToolset(row)) return { [row.spec.name]: this.isOn(row) };
    const states = row.methods.map((tool) => [tool.spec.name, this.isOn(tool)] as const);
    const isAnyOn = states.some(([, isOn]) => isOn);
    return { [row.toolsetId]: isAnyOn, ...Object.fromEntries(states.filter(([, isOn]) => isOn !== isAnyOn)) };
  }

  private placesOfKeys(keys: readonly string[]): readonly SettingsPlace[] {
    return PLACES.filter((place) => {
      const own = this.own(place);
      return keys.some((key) => Object.hasOwn(own, key));
    });
  }

  private own(place: SettingsPlace): Toggles {
    return this.parts.settings.chosen('toolCalling.toolToggles', place) ?? {};
  }

  private withToolsets(
    own: Toggles,
    toolsets: readonly DiscoveredToolset[],
    { isOn, place }: { readonly isOn: boolean; readonly place: SettingsPlace },
  ): Toggles {
    const names = toolsets.flatMap(({ methods }) => methods.map(({ spec }) => spec.name));
    const kept = Object.entries(own).filter(([key]) => !names.includes(key));
    // Where the user's settings name a tool, only its name can win against them.
    const outer = place === 'workspace' ? this.own('user') : {};
    const named = names.filter((name) => Object.hasOwn(outer, name) && outer[name] !== isOn);
    return Object.fromEntries([
      ...kept,
      ...toolsets.map(({ toolsetId }) => [toolsetId, isOn] as const),
      ...named.map((name) => [name, isOn] as const),
    ]);
  }

  private async click(next: (own: Toggles, place: SettingsPlace) => Toggles | undefined): Promise<void> {
    const place = await this.parts.placeForClick();
    if (place !== undefined) await this.change(place, (own) => next(own, place));
  }

  /** One change after another, so that quick clicks do not undo each other. */
  private change(place: SettingsPlace, next: (own: Toggles) => Toggles | undefined): Promise<void> {
    const write = async (): Promise<void> => {
      const toggles = next(this.own(place));
      const isEmpty = toggles === undefined || Object.keys(toggles).length === 0;
      await this.parts.settings.choose(
        'toolCalling.toolToggles',
        isEmpty ? undefined : { ...toggles },
        place,
      );
    };
    const written = this.writing.then(write);
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async toolsets(): Promise<readonly DiscoveredToolset[]> {
    return (await this.parts.tools.get()).getDiscoveredMethods();
  }
}

/** A toolset is what is written about it and about its tools. */
function keysOf(row: ToolRow): readonly string[] {
  return isToolset(row) ? [row.toolsetId, ...row.methods.map(({ spec }) => spec.name)] : [row.spec.name];
}

function without(toggles: Toggles, keys: readonly string[]): Toggles {
  return Object.fromEntries(Object.entries(toggles).filter(([key]) => !keys.includes(key)));
}

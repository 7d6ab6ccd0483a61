import { toggleKey, toggleOf, type Toggle, type Toggles } from '../../../core/words/config';
import type { Tool } from '../../../core/words/tool';
import { isSwitchedOn, type DiscoveredToolset } from '../../../tools/registry';
import type { SettingsTarget, SettingsStore } from '../../platform/settings';
import type { WindowTools } from './window-tools';

/** The settings that decide whether and how tools are offered, besides protocol and agent. */
export const OFFER_SETTINGS = [
  'toolCalling.toolToggles',
  'toolCalling.defaultToolEnabled',
  'toolCalling.toolsOnDemand',
] as const;

/** A row with a toggle. */
export type ToolRow = DiscoveredToolset | Tool;

export function isToolset(row: ToolRow): row is DiscoveredToolset {
  return 'methods' in row;
}

/** Highest precedence first. */
const TARGETS: readonly SettingsTarget[] = ['workspace', 'user'];

/** The setting that decides whether a tool is on. */
export interface ToggleSource {
  /** A wire name, or the id of a toolset. */
  readonly key: string;
  readonly target: SettingsTarget;
}

interface ToolTogglesParts {
  readonly settings: Pick<SettingsStore, 'get' | 'chosen' | 'choose' | 'choiceTarget'>;
  readonly tools: Pick<WindowTools, 'get'>;
  /**
   * Where a click is written: the usual target for the user's choices, unless it is ignored now. Then the user is
   * asked; `undefined` writes nothing.
   */
  readonly targetForClick: () => Promise<SettingsTarget | undefined>;
  /** Tools that are currently only listed by a line. */
  readonly listed: () => Promise<readonly Tool[]>;
}

/** Writes the toggles of tools. It only writes settings: tree, registry and prompt follow the setting. */
export class ToolToggles {
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ToolTogglesParts) {}

  async setTool(name: string, isOn: boolean): Promise<void> {
    await this.setTools([name], isOn);
  }

  async setTools(names: readonly string[], isOn: boolean): Promise<void> {
    const tools = (await this.toolsets()).flatMap(({ methods }) => methods);
    const rows = tools.filter(({ spec }) => names.includes(spec.name));
    await this.click((own, target) =>
      isOn
        ? this.switchedOn(withoutFalse(own, rows.flatMap(keysOf)), rows, target)
        : { ...own, ...Object.fromEntries(names.map((name) => [name, false])) },
    );
  }

  /** Toggles a toolset; settings of its tools are removed when it is turned off. */
  async setToolset(id: string, isOn: boolean): Promise<void> {
    const rows = (await this.toolsets()).filter(({ toolsetId }) => toolsetId === id);
    await this.click((own, target) =>
      isOn
        ? this.switchedOn(withoutFalse(own, rows.flatMap(keysOf)), rows, target)
        : this.withToolsets(own, rows, { toggle: false, target }),
    );
  }

  async setAll(isOn: boolean): Promise<void> {
    const toolsets = await this.toolsets();
    await this.click((own, target) =>
      isOn
        ? this.switchedOn(withoutFalse(own, Object.keys(own)), toolsets, target)
        : this.withToolsets({}, toolsets, { toggle: false, target }),
    );
  }

  /**
   * Chooses whether a row's tools are defined always or on demand. Tools that are off stay off, unless all of them
   * are.
   */
  async define(row: ToolRow, toggle: true | 'onDemand'): Promise<void> {
    await this.click((own, target) => {
      if (!isToolset(row)) return { ...own, [row.spec.name]: toggle };
      const off = row.methods.filter((tool) => !this.isOn(tool));
      const stayOff = off.length < row.methods.length ? off : [];
      return {
        ...this.withToolsets(own, [row], { toggle, target }),
        ...Object.fromEntries(stayOff.map(({ spec }) => [spec.name, false])),
      };
    });
  }

  async reset(): Promise<void> {
    await this.click(() => undefined);
  }

  /** As the settings say. */
  isOn(tool: Tool): boolean {
    return this.isOnWith(this.parts.settings.get('toolCalling.toolToggles'), tool);
  }

  /** The setting that decides; none for the default. */
  sourceOf(tool: Tool): ToggleSource | undefined {
    const key = toggleKey(tool, this.parts.settings.get('toolCalling.toolToggles'));
    return key === undefined ? undefined : { key, target: this.targetsOfKeys([key])[0] ?? 'user' };
  }

  /** Where a row has a setting, highest precedence first. */
  targetsOf(row: ToolRow): readonly SettingsTarget[] {
    return this.targetsOfKeys(keysOf(row));
  }

  /** Moves the setting of a row to this target and no other. */
  async keep(row: ToolRow, target: SettingsTarget): Promise<void> {
    const kept = this.stateOf(row, await this.parts.listed());
    const keys = keysOf(row);
    await this.change(target, (own) => ({ ...without(own, keys), ...kept }));
    for (const other of this.targetsOf(row)) {
      if (other !== target) await this.change(other, (own) => without(own, keys));
    }
  }

  /** Removes all settings of a row. */
  async forget(row: ToolRow): Promise<void> {
    const keys = keysOf(row);
    for (const target of this.targetsOf(row)) await this.change(target, (own) => without(own, keys));
  }

  /** The toggles that keep the state of a row, whatever the default. */
  private stateOf(row: ToolRow, listed: readonly Tool[]): Toggles {
    const toggles = this.parts.settings.get('toolCalling.toolToggles');
    const names = listed.map(({ spec }) => spec.name);
    const stateOf = (tool: Tool): Toggle => {
      const byDefault = names.includes(tool.spec.name) ? 'onDemand' : this.isOn(tool);
      return toggleOf(tool, toggles) ?? byDefault;
    };
    if (!isToolset(row)) return { [row.spec.name]: stateOf(row) };
    const states = row.methods.map((tool) => [tool.spec.name, stateOf(tool)] as const);
    const whole = toggles[row.toolsetId] ?? mostOf(states.map(([, state]) => state));
    return { [row.toolsetId]: whole, ...Object.fromEntries(states.filter(([, state]) => state !== whole)) };
  }

  private targetsOfKeys(keys: readonly string[]): readonly SettingsTarget[] {
    return TARGETS.filter((target) => {
      const own = this.own(target);
      return keys.some((key) => Object.hasOwn(own, key));
    });
  }

  private own(target: SettingsTarget): Toggles {
    return this.parts.settings.chosen('toolCalling.toolToggles', target) ?? {};
  }

  private withToolsets(
    own: Toggles,
    toolsets: readonly DiscoveredToolset[],
    { toggle, target }: { readonly toggle: Toggle; readonly target: SettingsTarget },
  ): Toggles {
    const names = toolsets.flatMap(({ methods }) => methods.map(({ spec }) => spec.name));
    const kept = Object.entries(own).filter(([key]) => !names.includes(key));
    // If the user's settings name a tool, only its name can override them.
    const outer = target === 'workspace' ? this.own('user') : {};
    const named = names.filter((name) => Object.hasOwn(outer, name) && outer[name] !== toggle);
    return Object.fromEntries([
      ...kept,
      ...toolsets.map(({ toolsetId }) => [toolsetId, toggle] as const),
      ...named.map((name) => [name, toggle] as const),
    ]);
  }

  /**
   * Without the removed `false`, tools that are on by default have their default state, on demand or not. Only tools
   * that are off then get `true`, which always defines them.
   */
  private switchedOn(own: Toggles, rows: readonly ToolRow[], target: SettingsTarget): Toggles {
    return rows.reduce((written, row) => {
      const next = isToolset(row) ? this.withToolsetOn(written, row, target) : written;
      const off = toolsOf(row).filter((tool) => !this.isOnWith(this.joined(next, target), tool));
      return { ...next, ...Object.fromEntries(off.map(({ spec }) => [spec.name, true])) };
    }, own);
  }

  /** Its toggle decides about tools that are not named: it is written if none of them is on without it. */
  private withToolsetOn(
    own: Toggles,
    { toolsetId, methods }: DiscoveredToolset,
    target: SettingsTarget,
  ): Toggles {
    const all = this.joined(own, target);
    const unnamed = methods.filter(({ spec }) => !Object.hasOwn(all, spec.name));
    const isNoneOn = unnamed.length > 0 && unnamed.every((tool) => !this.isOnWith(all, tool));
    return isNoneOn ? { ...own, [toolsetId]: true } : own;
  }

  /** The state after this write. */
  private joined(written: Toggles, target: SettingsTarget): Toggles {
    return target === 'workspace'
      ? { ...this.own('user'), ...written }
      : { ...written, ...this.own('workspace') };
  }

  private isOnWith(toolToggles: Toggles, tool: Tool): boolean {
    const defaultToolEnabled = this.parts.settings.get('toolCalling.defaultToolEnabled');
    return isSwitchedOn(tool, { toolToggles, defaultToolEnabled });
  }

  private async click(next: (own: Toggles, target: SettingsTarget) => Toggles | undefined): Promise<void> {
    const target = await this.parts.targetForClick();
    if (target !== undefined) await this.change(target, (own) => next(own, target));
  }

  /** One change after another, so that quick clicks do not undo each other. */
  private change(target: SettingsTarget, next: (own: Toggles) => Toggles | undefined): Promise<void> {
    const write = async (): Promise<void> => {
      const toggles = next(this.own(target));
      const isEmpty = toggles === undefined || Object.keys(toggles).length === 0;
      await this.parts.settings.choose(
        'toolCalling.toolToggles',
        isEmpty ? undefined : { ...toggles },
        target,
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

/** The settings of a toolset and of its tools. */
function keysOf(row: ToolRow): readonly string[] {
  return isToolset(row) ? [row.toolsetId, ...row.methods.map(({ spec }) => spec.name)] : [row.spec.name];
}

function toolsOf(row: ToolRow): readonly Tool[] {
  return isToolset(row) ? row.methods : [row];
}

/** The state of most enabled tools; off if none is on. */
function mostOf(states: readonly Toggle[]): Toggle {
  const on = states.filter((state) => state !== false);
  if (on.length === 0) return false;
  return on.filter((state) => state === 'onDemand').length > on.length / 2 ? 'onDemand' : true;
}

function withoutFalse(toggles: Toggles, keys: readonly string[]): Toggles {
  return Object.fromEntries(
    Object.entries(toggles).filter(([key, toggle]) => toggle !== false || !keys.includes(key)),
  );
}

function without(toggles: Toggles, keys: readonly string[]): Toggles {
  return Object.fromEntries(Object.entries(toggles).filter(([key]) => !keys.includes(key)));
}

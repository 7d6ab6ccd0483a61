import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { Picker, PickerId, Pickers } from '../../../contract/chat';
import { allAgents, defaultAgent, PLAN_AGENT, type AgentProfile } from '../../../core/run/agent-profile';
import type { Effort } from '../../../models/apis/api-name';
import { demoProfile, findProfile, type ModelProfile } from '../../../models/profiles';
import { protocolFor } from '../../../agent/protocol-for';
import { chooseProtocol, findProtocolName } from '../../../protocols/choose';
import { protocolNames, type ProtocolName } from '../../../protocols/names';
import { expectationText } from '../models/expectation-text';
import { factsText } from '../models/facts-text';
import type { CallStatistics } from '../models/call-statistics';
import type { ModelServers } from '../models/model-servers';
import type { VsCodeModels } from '../models/vscode-models';
import type { SettingsStore } from '../../platform/settings';
import { translated } from '../../platform/translated';
import type { SpokenProtocols } from './spoken-protocols';

const KEY = 'picked';

const EFFORTS = ['none', 'low', 'medium', 'high'] as const satisfies readonly Effort[];

interface Picks extends Partial<Record<PickerId, string>> {
  /** The agent picked before the planning agent. */
  readonly beforePlan?: string;
  /** The agent when the model was picked: for another agent, its own model is used. */
  readonly modelFor?: string;
  /** The model for which the effort was picked. */
  readonly effortFor?: string;
}

/**
 * The choices of this window: its picks over the defaults of the settings, kept over a reload. A pick may always
 * tighten; loosening the user's settings must be confirmed first.
 */
export class Choices implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<undefined>());
  private lastAgent: AgentProfile = defaultAgent;
  private picked: Picks;

  readonly onChange = this.changed.event;

  constructor(
    private readonly settings: SettingsStore,
    private readonly spoken: SpokenProtocols,
    private readonly vsCodeModels: VsCodeModels,
    private readonly memory: vscode.Memento,
    private readonly servers: Pick<ModelServers, 'known' | 'isUnasked' | 'ask' | 'onChange' | 'takesEffort'>,
    private readonly counts: Pick<CallStatistics, 'textFor'>,
  ) {
    this.picked = this.kept();
    this.store.add(servers.onChange(() => this.changed.fire(undefined)));
    this.store.add(vsCodeModels.onChange(() => this.changed.fire(undefined)));
    const watched = ['model', 'models', 'agents', 'toolCalling.protocol', 'toolCalling.mode'] as const;
    this.store.add(settings.onChange(watched, () => this.changed.fire(undefined)));
    this.store.add(
      settings.onChange(['toolCalling.mode'], () => {
        // A tightened setting counts at once; "auto" against it must be confirmed again.
        if (settings.get('toolCalling.mode') !== 'manual' || this.picked.mode !== 'auto') return;
        const { mode: _, ...others } = this.picked;
        this.keep(others);
        this.changed.fire(undefined);
      }),
    );
  }

  get modelId(): string {
    const { model, modelFor } = this.picked;
    const ofAgent = this.agent.model;
    if (ofAgent !== undefined && modelFor !== this.agentId) return ofAgent;
    return model ?? this.settings.get('model');
  }

  get profile(): ModelProfile | undefined {
    const found = this.find(this.modelId);
    const picked = this.pickedEffort;
    if (!found || picked === undefined || !this.servers.takesEffort(found)) return found;
    return { ...found, effort: EFFORTS.find((each) => each === picked) };
  }

  /** `default` leaves it to the server. Other models keep their own. */
  private get pickedEffort(): string | undefined {
    const { effort, effortFor } = this.picked;
    return effortFor === this.modelId ? effort : undefined;
  }

  /** The profile of a pickable model, completed with what its server reports. */
  find(id: string): ModelProfile | undefined {
    const found = findProfile([...this.settings.get('models'), ...this.vsCodeModels.profiles], id);
    return found && this.servers.known(found);
  }

  get protocol(): ProtocolName {
    const picked = this.picked.protocol;
    const wanted = picked === undefined || picked === 'auto' ? this.protocolByDefault : picked;
    return this.protocolBy(wanted);
  }

  private protocolBy(wanted: string): ProtocolName {
    return this.profile ? protocolFor(wanted, this.profile) : chooseProtocol(wanted, {});
  }

  /** Neither the picker nor the settings nor the profile names a protocol. */
  get isProtocolOpen(): boolean {
    const isNamed = [this.picked.protocol, this.protocolByDefault, this.profile?.protocol].some(
      (id) => id !== undefined && findProtocolName(id) !== undefined,
    );
    return !isNamed;
  }

  get mode(): 'auto' | 'manual' {
    const picked = this.picked.mode;
    return picked === 'auto' || picked === 'manual' ? picked : this.modeByDefault;
  }

  get agentId(): string {
    return this.picked.agent ?? defaultAgent.id;
  }

  /** Whether the picked agent exists in the settings. */
  get knowsAgent(): boolean {
    return this.agents.some(({ id }) => id === this.agentId);
  }

  /** An agent removed from the settings stays as last known, so that a mistake there loosens nothing. */
  get agent(): AgentProfile {
    const found = this.agents.find(({ id }) => id === this.agentId);
    if (found) this.lastAgent = found;
    return this.lastAgent;
  }

  get pickers(): Pickers {
    const effort = this.effortPicker();
    return {
      ...(effort && { effort }),
      model: this.modelPicker(),
      protocol: this.protocolPicker(),
      mode: this.modePicker(),
      agent: this.agentPicker(),
    };
  }

  /** The user is about to choose, so slow lookups start now. */
  async open(picker: PickerId): Promise<void> {
    if (picker !== 'model') return;
    const unasked = this.settings.get('models').filter((each) => this.servers.isUnasked(each));
    await Promise.all([this.vsCodeModels.look(), ...unasked.map((each) => this.servers.ask(each))]);
  }

  async pick(picker: PickerId, value: string): Promise<void> {
    if (this.pickers[picker]?.options.some((option) => option.value === value)) {
      if (!this.loosens(picker, value) || (await confirmAuto())) this.take(picker, value);
      // Picked by the user, so even a remote server may be asked.
      if (picker === 'model') void this.servers.ask(this.profile ?? demoProfile);
    }
    // Also after a rejected pick: the page then shows the actual choice.
    this.changed.fire(undefined);
  }

  /** Picks the agent that carries out a plan: the one before it. `false` if the user declines. */
  async leavePlan(): Promise<boolean> {
    // A second click on a page that no longer shows it.
    if (!this.plans) return false;
    const { beforePlan = defaultAgent.id } = this.picked;
    const isThere = beforePlan !== PLAN_AGENT && this.agents.some(({ id }) => id === beforePlan);
    await this.pick('agent', isThere ? beforePlan : defaultAgent.id);
    return !this.plans;
  }

  /** The same choice from the Command Palette. */
  async ask(picker: Exclude<PickerId, 'effort'>, title: string): Promise<void> {
    const { value, options } = this.pickers[picker];
    const items = options.map((option) => ({
      label: option.label,
      description: option.value === value ? vscode.l10n.t('current') : '',
      detail: option.detail ?? '',
      value: option.value,
    }));
    const item = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
    if (item) await this.pick(picker, item.value);
  }

  dispose(): void {
    this.store.dispose();
  }

  private get agents(): readonly AgentProfile[] {
    return allAgents(
      this.settings
        .get('agents')
        .map(({ id, name, instructions, readOnly, model, protocol, ...toolCalling }) => ({
          id,
          name,
          instructions,
          readOnly,
          model,
          protocol,
          toolCalling,
        })),
    );
  }

  private get plans(): boolean {
    return this.agentId === PLAN_AGENT;
  }

  /** The value without a protocol pick. */
  private get protocolByDefault(): string {
    const { protocol = 'auto' } = this.agent;
    return protocol === 'auto' ? this.settings.get('toolCalling.protocol') : protocol;
  }

  /** The value without a mode pick. */
  private get modeByDefault(): 'auto' | 'manual' {
    return this.agent.toolCalling.mode ?? this.settings.get('toolCalling.mode');
  }

  /** Whether fewer calls would wait than the user's settings say. */
  private loosens(picker: PickerId, value: string): boolean {
    if (picker === 'mode') return value === 'auto' && this.modeByDefault === 'manual';
    if (picker !== 'agent' || this.settings.get('toolCalling.mode') !== 'manual') return false;
    return this.agents.find(({ id }) => id === value)?.toolCalling.mode === 'auto';
  }

  private take(picker: PickerId, value: string): void {
    const { mode, ...others } = this.picked;
    // An agent that waits for every call keeps doing so until the user picks another mode for it.
    const kept = picker === 'agent' && mode === 'auto' ? others : this.picked;
    const beforePlan = picker === 'agent' && !this.plans && { beforePlan: this.agentId };
    const modelFor = picker === 'model' && { modelFor: this.agentId };
    const effortFor = picker === 'effort' && { effortFor: this.modelId };
    this.keep({ ...kept, ...beforePlan, ...modelFor, ...effortFor, [picker]: value });
  }

  private keep(picked: Picks): void {
    this.picked = picked;
    void this.memory.update(KEY, picked);
  }

  /** Picks from before a reload. Loosening picks were confirmed for that window only. */
  private kept(): Picks {
    const { agent, mode, ...others } = this.memory.get<Picks>(KEY, {});
    this.picked = others;
    if (agent !== undefined && !this.loosens('agent', agent)) this.picked = { ...this.picked, agent };
    if (mode !== undefined && !this.loosens('mode', mode)) this.picked = { ...this.picked, mode };
    return this.picked;
  }

  private agentPicker(): Picker {
    const unknown = { value: this.agentId, label: vscode.l10n.t('{0} (unknown)', this.agentId) };
    return {
      value: this.agentId,
      options: [
        ...(this.knowsAgent ? [] : [unknown]),
        ...this.agents.map((agent) => ({
          value: agent.id,
          label: translated(agent.name),
          detail: [whatItDoes(agent), agent.model && this.labelOf(agent.model)].filter(Boolean).join(' · '),
        })),
      ],
    };
  }

  private labelOf(modelId: string): string {
    const profile = this.find(modelId);
    return profile ? pickerOption(profile).label : vscode.l10n.t('{0} (unknown)', modelId);
  }

  private modelPicker(): Picker {
    const listed = [demoProfile, ...this.settings.get('models'), ...this.vsCodeModels.profiles];
    const profiles = listed.filter(({ id }, at) => listed.findIndex((other) => other.id === id) === at);
    const known = profiles.some(({ id }) => id === this.modelId);
    const chosen = this.profile;
    const unlisted = chosen
      ? pickerOption(chosen)
      : { value: this.modelId, label: vscode.l10n.t('{0} (unknown)', this.modelId) };
    return {
      value: this.modelId,
      options: [
        ...profiles.map((each) => pickerOption(this.servers.known(each))),
        ...(known ? [] : [unlisted]),
      ],
    };
  }

  private protocolPicker(): Picker {
    const picked = this.picked.protocol;
    const fixed = this.protocolByDefault;
    const value = picked ?? (findProtocolName(fixed) ? fixed : 'auto');
    const spoken = this.spoken.of(this.modelId);
    const auto = this.protocolBy(fixed);
    return {
      value,
      options: [
        {
          value: 'auto',
          label: vscode.l10n.t('Auto ({0})', translated(auto.label)),
          detail: vscode.l10n.t('Chosen by settings, model profile and model name'),
        },
        ...protocolNames.map(({ id, label, description }) => ({
          value: id,
          label: translated(label),
          detail: [
            translated(description),
            id === spoken && vscode.l10n.t('This model seems to use this protocol.'),
            this.profile && this.counts.textFor(this.profile, id),
          ]
            .filter(Boolean)
            .join(' '),
        })),
      ],
    };
  }

  /** None for models whose server takes no effort, as far as it says. */
  private effortPicker(): Picker | undefined {
    const own = this.find(this.modelId);
    if (!own || !this.servers.takesEffort(own)) return undefined;
    const labels: Readonly<Record<Effort, string>> = {
      none: vscode.l10n.t('None'),
      low: vscode.l10n.t('Low'),
      medium: vscode.l10n.t('Medium'),
      high: vscode.l10n.t('High'),
    };
    const open = {
      value: 'default',
      label: vscode.l10n.t('Default'),
      detail: vscode.l10n.t('As the server decides'),
    };
    return {
      value: this.pickedEffort ?? own.effort ?? open.value,
      options: [open, ...EFFORTS.map((value) => ({ value, label: labels[value] }))],
    };
  }

  private modePicker(): Picker {
    return {
      value: this.mode,
      options: [
        { value: 'auto', label: vscode.l10n.t('Auto'), detail: vscode.l10n.t('Asks only when needed') },
        {
          value: 'manual',
          label: vscode.l10n.t('Manual'),
          detail: vscode.l10n.t('Asks before every call'),
        },
      ],
    };
  }
}

function whatItDoes({ id, readOnly = false, instructions = '' }: AgentProfile): string {
  if (id === PLAN_AGENT && readOnly) return vscode.l10n.t('Reads and plans without changing anything');
  if (readOnly) return vscode.l10n.t('Read-only tools');
  return instructions.split('\n', 1)[0] || vscode.l10n.t('All enabled tools');
}

function pickerOption(profile: ModelProfile): Picker['options'][number] {
  const { id, name, model } = profile;
  const label = translated(name ?? (profile.provider === 'vscode' ? (model ?? id) : id));
  const isScripted = profile.provider === 'demo';
  return { value: id, label, detail: origin(profile), ...(isScripted && { isScripted }) };
}

function origin(profile: ModelProfile): string {
  const { provider, model = '', baseUrl = '' } = profile;
  switch (provider) {
    case 'demo':
      return vscode.l10n.t('No network, no key');
    case 'vscode':
      return vscode.l10n.t('{0} · from VS Code', model);
    case 'openai':
    case 'ollama':
      return [model, baseUrl, factsText(profile), expectationText(profile)].filter(Boolean).join(' · ');
  }
}

async function confirmAuto(): Promise<boolean> {
  const yes = vscode.l10n.t('Use Auto');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Your settings require manual approval of every call. Use Auto in this window anyway?'),
    { modal: true },
    yes,
  );
  return answer === yes;
}

import * as vscode from 'vscode';
import { Mutex } from '../../../base/async';
import { Emitter, type Disposable } from '../../../base/disposable';
import type { ToolSpec } from '../../../core/words/tool';
import { demoProfile, type ModelProfile } from '../../../models/profiles';
import { configOf, toolCallConfig } from '../choices/run-setup';
import { profileProblem } from '../models/profile-problem';
import type { ModelServers } from '../models/model-servers';
import type { WindowTools } from '../tools/window-tools';
import type { Choices } from '../choices/choices';
import type { Platform } from '../../platform/platform';
import { DoctorRun } from './doctor-run';

interface ExaminationsParts extends Platform {
  readonly choices: Choices;
  readonly tools: WindowTools;
  readonly servers: ModelServers;
}

/** The examination of this window, one at a time: it continues while its page is closed. */
export class Examinations implements Disposable {
  private readonly changed = new Emitter<void>();
  private run: DoctorRun | undefined;
  private readonly turn = new Mutex();
  /** The model that the user asked about last. */
  private asked: ModelProfile | undefined;

  readonly onChange = this.changed.event;

  constructor(private readonly parts: ExaminationsParts) {}

  /** The examination of that model, or of the picked one; a sentence if there can be none. */
  async current(): Promise<DoctorRun | { readonly problem: string }> {
    const { run, asked } = this;
    if (run && run.state !== 'ready') return run;
    return this.prepare(asked ?? this.parts.choices.profile ?? demoProfile);
  }

  /**
   * The user wants to examine this model. A running examination is stopped, and dropped if it is for another model.
   */
  want(profile: ModelProfile): void {
    if (this.run?.profile.id !== profile.id) this.forget();
    this.asked = profile;
  }

  forget(): void {
    this.run?.dispose();
    this.run = undefined;
    this.changed.fire();
  }

  dispose(): void {
    this.run?.dispose();
    this.changed.dispose();
  }

  private async prepare(profile: ModelProfile): Promise<DoctorRun | { readonly problem: string }> {
    const problem = profileProblem(profile, this.parts.settings.get('models')) ?? demoProblem(profile);
    if (problem !== undefined) return { problem };
    return this.turn.run(async () => {
      if (this.run?.profile.id === profile.id) return this.run;
      this.run?.dispose();
      return (this.run = await this.prepareNow(profile));
    });
  }

  private async prepareNow(given: ModelProfile): Promise<DoctorRun> {
    const { secrets, servers, output, context } = this.parts;
    // The user asked for it, so a remote server is asked, too.
    if (this.asked?.id === given.id || servers.isUnasked(given)) await servers.ask(given);
    // SAFETY: the manifest of an extension has a version.
    const { version } = context.extension.packageJSON as { version: string };
    const tools = (): Promise<readonly ToolSpec[]> => this.tools();
    const run = await DoctorRun.prepare(servers.known(given), {
      ...{ secrets, servers, output, tools, version },
      config: () => configOf(this.parts.settings),
      folders: {
        wasm: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath,
        state: vscode.Uri.joinPath(context.globalStorageUri, 'sandbox').fsPath,
      },
    });
    run.onChange(() => this.changed.fire());
    return run;
  }

  /** Tools offered to the model in this window. */
  private async tools(): Promise<readonly ToolSpec[]> {
    const { tools, settings, choices } = this.parts;
    const config = toolCallConfig(settings, choices);
    const offered = (await tools.get()).offered({ ...config, enabled: true });
    return offered.filter(({ isCore }) => isCore).map(({ spec }) => spec);
  }
}

function demoProblem({ provider }: ModelProfile): string | undefined {
  return provider === 'demo'
    ? vscode.l10n.t('The demo model is scripted and supports every protocol. Pick another model.')
    : undefined;
}

/** Shows the change of the profile, and writes it. */
export async function useProtocol(run: DoctorRun, { settings, choices }: ExaminationsParts): Promise<void> {
  const { profile } = run;
  const { timeouts, ...fields } = run.report()?.settings ?? {};
  if (fields.protocol === undefined) return;
  const all = settings.get('models');
  const name = profile.name ?? profile.id;
  if (!all.some(({ id }) => id === profile.id)) {
    const text = vscode.l10n.t(
      '{0} is not defined in a setting, so the protocol cannot be saved. Pick it in the chat.',
      name,
    );
    void vscode.window.showWarningMessage(text);
    return;
  }
  const write = vscode.l10n.t('Write');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Save this in the profile of {0} in your settings?', name),
    {
      modal: true,
      detail: JSON.stringify({ ...fields, ...(timeouts && { timeouts }) }, undefined, 2),
    },
    write,
  );
  if (answer !== write) return;
  const changed = all.map((each) => {
    if (each.id !== profile.id) return each;
    return {
      ...each,
      ...fields,
      ...(timeouts && { timeouts: { ...each.timeouts, ...timeouts } }),
    };
  });
  await settings.choose('models', changed, 'user');
  // A pick of this window would override it.
  await choices.pick('protocol', 'auto');
}

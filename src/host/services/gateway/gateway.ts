import * as vscode from 'vscode';
import { Mutex } from '../../../base/async';
import { Emitter } from '../../../base/disposable';
import { ServedRequests } from '../../../gateway/served-requests';
import { demoProfile } from '../../../models/profiles';
import type { Choices } from '../choices/choices';
import { profileProblem } from '../models/profile-problem';
import type { SettingsStore } from '../../platform/settings';
import type { GatewayParts, RunningGateway } from './start-gateway';

/** Whether it runs, for commands. */
const KEY = 'parley.gateway';

interface GatewayState extends Pick<RunningGateway, 'address' | 'token'> {
  readonly name: string;
}

/**
 * The gateway of this window, through which other programs on this machine use the picked model. Runs from the start
 * command until the stop command, or the end of the window.
 */
export class Gateway implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly turn = new Mutex();
  private readonly changed = new Emitter<void>();
  /** Requests to it, and to models published to VS Code. */
  readonly served: ServedRequests;
  private running: (RunningGateway & GatewayState) | undefined;

  /** Fires when it has started or stopped. */
  readonly onChange = this.changed.event;

  constructor(
    private readonly parts: Omit<GatewayParts, 'served' | 'all'> & {
      readonly choices: Choices;
      readonly settings: SettingsStore;
    },
  ) {
    const note = (sentence: string): void => parts.output.info(`Gateway: ${sentence}`);
    this.served = new ServedRequests({ now: Date.now, note });
    this.item = vscode.window.createStatusBarItem('parley.gateway', vscode.StatusBarAlignment.Left);
    this.item.name = vscode.l10n.t('Parley gateway');
    this.item.command = 'parley.startGateway';
  }

  /** Address and model name while it runs. */
  get state(): GatewayState | undefined {
    return this.running;
  }

  /** Starts it; if it runs already, copies its token. */
  async start(): Promise<void> {
    const { running } = this;
    if (running) return this.tell(running, true);
    const { choices, settings } = this.parts;
    const profile = choices.profile ?? demoProfile;
    const all = settings.get('models');
    const problem = profileProblem(profile, all);
    if (problem !== undefined) {
      void vscode.window.showWarningMessage(problem);
      return;
    }
    const started = await this.turn.run(async () => {
      const { startGateway } = await import('./start-gateway');
      const name = profile.name ?? profile.id;
      const parts = { ...this.parts, served: this.served, all };
      this.running ??= { ...(await startGateway(profile, parts)), name };
      await this.show(this.running);
      return this.running;
    });
    await this.tell(started, false);
  }

  /** Also stops one that is starting. */
  stop(): Promise<void> {
    return this.turn.run(async () => {
      const { running } = this;
      this.running = undefined;
      this.item.hide();
      this.changed.fire();
      await vscode.commands.executeCommand('setContext', KEY, false);
      await running?.stop();
    });
  }

  dispose(): void {
    this.item.dispose();
    this.changed.dispose();
    this.served.dispose();
    void this.stop();
  }

  private async show({ name, address }: GatewayState): Promise<void> {
    this.item.text = `$(broadcast) ${vscode.l10n.t('Gateway: {0}', name)}`;
    this.item.tooltip = vscode.l10n.t(
      'Parley serves {0} to other programs at {1}. Click to copy the token.',
      name,
      address,
    );
    this.item.show();
    this.changed.fire();
    await vscode.commands.executeCommand('setContext', KEY, true);
  }

  private async tell({ address, token }: RunningGateway, isCopied: boolean): Promise<void> {
    if (isCopied) await vscode.env.clipboard.writeText(token);
    const text = isCopied
      ? vscode.l10n.t('Gateway token copied. The address is {0}.', address)
      : vscode.l10n.t(
          'The gateway is running at {0}. Enter this address and the token in the other program as an OpenAI-compatible server.',
          address,
        );
    const copyToken = vscode.l10n.t('Copy Token');
    const copyAddress = vscode.l10n.t('Copy Address');
    const picked = await vscode.window.showInformationMessage(text, copyToken, copyAddress);
    if (picked === copyToken) await vscode.env.clipboard.writeText(token);
    if (picked === copyAddress) await vscode.env.clipboard.writeText(address);
  }
}

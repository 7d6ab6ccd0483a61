import * as vscode from 'vscode';
import { Mutex } from '../../base/async';
import { demoProfile } from '../../models/profiles';
import type { Choices } from '../chat/choices';
import { profileProblem } from '../models/profile-problem';
import type { SettingsStore } from '../window/settings';
import type { GatewayParts, RunningGateway } from './start-gateway';

/** Whether it runs, for commands. */
const KEY = 'parley.gateway';

/**
 * The gateway of this window: other programs on this machine use the picked model through it. It runs from a command of the
 * user until another one, or the end of the window.
 */
export class Gateway implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly turn = new Mutex();
  private running: RunningGateway | undefined;

  constructor(
    private readonly parts: GatewayParts & { readonly choices: Choices; readonly settings: SettingsStore },
  ) {
    this.item = vscode.window.createStatusBarItem('parley.gateway', vscode.StatusBarAlignment.Left);
    this.item.name = vscode.l10n.t('Parley gateway');
    this.item.command = 'parley.startGateway';
  }

  /** Where it listens, while it does. */
  get state(): Pick<RunningGateway, 'address' | 'token'> | undefined {
    return this.running;
  }

  /** Starts it; where it runs already, its token is copied. */
  async start(): Promise<void> {
    const { running } = this;
    if (running) return this.tell(running, true);
    const { choices, settings } = this.parts;
    const profile = choices.profile ?? demoProfile;
    const problem = profileProblem(profile, settings.get('models'));
    if (problem !== undefined) {
      void vscode.window.showWarningMessage(problem);
      return;
    }
    const started = await this.turn.run(async () => {
      const { startGateway } = await import('./start-gateway');
      this.running ??= await startGateway(profile, this.parts);
      await this.show(profile.name ?? profile.id, this.running.address);
      return this.running;
    });
    await this.tell(started, false);
  }

  /** Also one that is about to start. */
  stop(): Promise<void> {
    return this.turn.run(async () => {
      const { running } = this;
      this.running = undefined;
      this.item.hide();
      await vscode.commands.executeCommand('setContext', KEY, false);
      await running?.stop();
    });
  }

  dispose(): void {
    this.item.dispose();
    void this.stop();
  }

  private async show(name: string, address: string): Promise<void> {
    this.item.text = `$(broadcast) ${vscode.l10n.t('Gateway: {0}', name)}`;
    this.item.tooltip = vscode.l10n.t(
      'Parley gives {0} to other programs at {1}. Click to copy the token.',
      name,
      address,
    );
    this.item.show();
    await vscode.commands.executeCommand('setContext', KEY, true);
  }

  private async tell({ address, token }: RunningGateway, isCopied: boolean): Promise<void> {
    if (isCopied) await vscode.env.clipboard.writeText(token);
    const text = isCopied
      ? vscode.l10n.t('The token of the gateway was copied. Its address is {0}.', address)
      : vscode.l10n.t(
          'The gateway listens at {0}. Give that and its token to the other program as those of an OpenAI-compatible server.',
          address,
        );
    const copyToken = vscode.l10n.t('Copy Token');
    const copyAddress = vscode.l10n.t('Copy Address');
    const picked = await vscode.window.showInformationMessage(text, copyToken, copyAddress);
    if (picked === copyToken) await vscode.env.clipboard.writeText(token);
    if (picked === copyAddress) await vscode.env.clipboard.writeText(address);
  }
}

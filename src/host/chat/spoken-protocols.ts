import type * as vscode from 'vscode';
import type { Conversation } from './conversation';

const SPOKEN = 'spokenProtocols';

/** Which protocol each model seemed to speak when it did not keep to the one in use; kept from window to window. */
export class SpokenProtocols {
  constructor(private readonly memory: vscode.Memento) {}

  of(profileId: string): string | undefined {
    return this.all()[profileId];
  }

  /** Learns from the advice that runs give. */
  follow(conversation: Conversation, choices: { readonly modelId: string }): vscode.Disposable {
    // The user may pick another one while it answers.
    let asked = choices.modelId;
    return conversation.onEvent((event) => {
      if (event.type === 'run-start' || event.type === 'run-resume') asked = choices.modelId;
      if (event.type === 'advice')
        void this.memory.update(SPOKEN, { ...this.all(), [asked]: event.protocol });
    });
  }

  private all(): Readonly<Record<string, string>> {
    return this.memory.get<Record<string, string>>(SPOKEN, {});
  }
}

import type * as vscode from 'vscode';
import type { Conversation } from '../conversation/conversation';

const SPOKEN = 'spokenProtocols';

/** Remembers which protocol each model seems to use when it does not follow the selected one; kept across windows. */
export class SpokenProtocols {
  constructor(private readonly memory: vscode.Memento) {}

  of(profileId: string): string | undefined {
    return this.all()[profileId];
  }

  /** Learns from the suggestions of runs. */
  follow(conversation: Conversation, choices: { readonly modelId: string }): vscode.Disposable {
    // The user may pick another model during the answer.
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

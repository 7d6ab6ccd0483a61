import type * as vscode from 'vscode';
import type { Choices } from './choices';
import type { Conversation } from './conversation';

const KEY = 'spokenProtocols';

/** Which protocol each model seemed to speak when it did not keep to the one in use; kept from window to window. */
export class SpokenProtocols {
  constructor(private readonly memory: vscode.Memento) {}

  of(profileId: string): string | undefined {
    return this.all()[profileId];
  }

  /** Learns from the advice that runs give. */
  follow(conversation: Conversation, choices: Choices): vscode.Disposable {
    return conversation.onEvent((event) => {
      if (event.type !== 'advice') return;
      void this.memory.update(KEY, { ...this.all(), [choices.modelId]: event.protocol });
    });
  }

  private all(): Readonly<Record<string, string>> {
    return this.memory.get<Record<string, string>>(KEY, {});
  }
}

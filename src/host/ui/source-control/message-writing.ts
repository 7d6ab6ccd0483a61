import * as vscode from 'vscode';
import { noticeText } from '../../../base/text';
import { translated } from '../../platform/translated';
import { writeInBox, type CommitMessageParts } from '../../services/git/write-in-box';
import { gitRepositories, repositoryAt, type GitRepository } from '../../services/git/git-extension';

/** Condition of the key and the button that stop. */
const KEY = 'parley.writingCommitMessage';

/** Writes commit messages into the input boxes of repositories, one at a time. */
export class MessageWriting implements vscode.Disposable {
  private running: AbortController | undefined;

  constructor(private readonly parts: CommitMessageParts) {}

  /** `source` is the repository whose button was clicked; without one, the user picks. */
  async write(source?: unknown): Promise<void> {
    if (this.running) return;
    const running = new AbortController();
    this.running = running;
    try {
      const repository = await chooseRepository(source);
      if (repository) await this.writeIn(repository, running);
    } finally {
      this.running = undefined;
    }
  }

  /** Stops the writing; the box gets its earlier text. */
  stop(): void {
    this.running?.abort();
  }

  dispose(): void {
    this.stop();
  }

  private async writeIn(repository: GitRepository, running: AbortController): Promise<void> {
    await vscode.commands.executeCommand('setContext', KEY, true);
    const before = repository.inputBox.value;
    try {
      const title = vscode.l10n.t('Writing a commit message… Press Escape to stop.');
      const options = { location: vscode.ProgressLocation.SourceControl, title };
      const result = await vscode.window.withProgress(options, () =>
        writeInBox(repository, this.parts, running.signal),
      );
      if (running.signal.aborted || 'problem' in result) repository.inputBox.value = before;
      if (!running.signal.aborted) tell(result);
    } catch (error) {
      repository.inputBox.value = before;
      if (!running.signal.aborted) throw error;
    } finally {
      await vscode.commands.executeCommand('setContext', KEY, false);
    }
  }
}

function tell(result: { readonly problem: string } | { readonly secretFiles: readonly string[] }): void {
  if ('problem' in result) {
    void vscode.window.showErrorMessage(noticeText(translated(result.problem)));
    return;
  }
  const { secretFiles } = result;
  if (secretFiles.length === 0) return;
  const text = vscode.l10n.t(
    'The model did not see these secret files: {0}. Check the message before you commit.',
    noticeText(secretFiles.join(', ')),
  );
  void vscode.window.showInformationMessage(text);
}

async function chooseRepository(source: unknown): Promise<GitRepository | undefined> {
  const repositories = await gitRepositories();
  const root = rootOf(source);
  if (root) return repositoryAt(root, repositories);
  const [first, ...others] = repositories;
  if (!first) {
    const text = vscode.l10n.t('No git repository is open. Open a folder that has one.');
    void vscode.window.showInformationMessage(text);
    return undefined;
  }
  if (others.length === 0) return first;
  const items = repositories.map((repository) => ({
    label: noticeText(repository.rootUri.path.replace(/.*\//, '')),
    description: noticeText(repository.rootUri.fsPath),
    repository,
  }));
  const title = vscode.l10n.t('Repository of the commit message');
  return (await vscode.window.showQuickPick(items, { title }))?.repository;
}

/** A source control, as VS Code passes it to its buttons. */
function rootOf(source: unknown): vscode.Uri | undefined {
  if (typeof source !== 'object' || source === null || !('rootUri' in source)) return undefined;
  return source.rootUri instanceof vscode.Uri ? source.rootUri : undefined;
}

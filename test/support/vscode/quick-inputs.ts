import * as vscode from 'vscode';
import { eventually } from '../eventually';

type QuickInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Tracks the visible quick inputs of VS Code, so that a test can type into them. */
export class QuickInputs implements vscode.Disposable {
  private shown: QuickInput | undefined;
  private readonly createInputBox = vscode.window.createInputBox;
  private readonly createQuickPick = vscode.window.createQuickPick;

  constructor() {
    const follow = <T extends QuickInput>(input: T): T => {
      input.onDidHide(() => {
        if (this.shown === input) this.shown = undefined;
      });
      const show = input.show.bind(input);
      input.show = () => {
        show();
        this.shown = input;
      };
      return input;
    };
    Object.assign(vscode.window, {
      createInputBox: () => follow(this.createInputBox.call(vscode.window)),
      createQuickPick: () => follow(this.createQuickPick.call(vscode.window)),
    });
  }

  dispose(): void {
    this.shown?.hide();
    const { createInputBox, createQuickPick } = this;
    Object.assign(vscode.window, { createInputBox, createQuickPick });
  }

  get isOpen(): boolean {
    return this.shown !== undefined;
  }

  /** Waits for the input box of this step (from 1) and returns it. */
  async box(step: number): Promise<vscode.InputBox> {
    const input = await this.at(step);
    if ('items' in input) throw new Error('This is a list.');
    return input;
  }

  /** The same for a quick pick; step 0 is the note before the first field. */
  async list(step: number): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
    const input = await this.at(step);
    if (!('items' in input)) throw new Error('This is not a list.');
    return input;
  }

  /** Acts like Enter, repeatedly until the quick input has closed or changed. */
  async accept(): Promise<void> {
    await this.press('workbench.action.acceptSelectedQuickOpenItem');
  }

  /** Acts like Escape. */
  async close(): Promise<void> {
    await this.press('workbench.action.closeQuickOpen');
  }

  /** Picks the option with this label. */
  async pick(step: number, label: string): Promise<void> {
    const list = await this.list(step);
    const item = list.items.find((each) => each.label === label);
    if (!item)
      throw new Error(`There is no ${label}, but ${list.items.map((each) => each.label).join(', ')}.`);
    list.activeItems = [item];
    // VS Code receives the change with the next turn of the timers, and a command would overtake it.
    await new Promise((resolve) => setTimeout(resolve));
    await this.accept();
  }

  async type(step: number, text: string): Promise<void> {
    const box = await this.box(step);
    box.value = text;
    await this.accept();
  }

  /** Accepts an invalid value, and returns the validation message. */
  async refused(step: number, text: string): Promise<string> {
    const box = await this.box(step);
    box.value = text;
    await eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return box.validationMessage !== undefined;
    });
    const said = box.validationMessage;
    return typeof said === 'string' ? said : (said?.message ?? '');
  }

  private async press(command: string): Promise<void> {
    const { shown } = this;
    await eventually(async () => {
      if (this.shown !== shown) return true;
      await vscode.commands.executeCommand(command);
      return false;
    });
  }

  private async at(step: number): Promise<QuickInput> {
    let found: QuickInput | undefined;
    await eventually(async () => {
      found = (this.shown?.step ?? 0) === step ? this.shown : undefined;
      return found !== undefined;
    });
    if (!found) throw new Error(`Step ${step} did not appear.`);
    return found;
  }
}

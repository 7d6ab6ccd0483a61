import * as vscode from 'vscode';

type QuickInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Waits so long for what is to be shown, in milliseconds. */
const PATIENCE = 10_000;

/** Knows the real quick inputs of VS Code that are shown, so that a test can type into them. */
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

  /** The box of this step (from 1) once it is there. */
  async box(step: number): Promise<vscode.InputBox> {
    const input = await this.at(step);
    if ('items' in input) throw new Error('This is a list.');
    return input;
  }

  /** The same for a list; step 0 is the note before the first field. */
  async list(step: number): Promise<vscode.QuickPick<vscode.QuickPickItem>> {
    const input = await this.at(step);
    if (!('items' in input)) throw new Error('This is no list.');
    return input;
  }

  /** As Enter does, as often as it takes until what is shown has gone or has become another. */
  async accept(): Promise<void> {
    await this.press('workbench.action.acceptSelectedQuickOpenItem');
  }

  /** As Escape does. */
  async close(): Promise<void> {
    await this.press('workbench.action.closeQuickOpen');
  }

  /** Chooses the option of a list with this label. */
  async pick(step: number, label: string): Promise<void> {
    const list = await this.list(step);
    const item = list.items.find((each) => each.label === label);
    if (!item)
      throw new Error(`There is no ${label}, but ${list.items.map((each) => each.label).join(', ')}.`);
    list.activeItems = [item];
    // VS Code is told with the next tick, and a command would overtake that.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await this.accept();
  }

  async type(step: number, text: string): Promise<void> {
    const box = await this.box(step);
    box.value = text;
    await this.accept();
  }

  /** Accepts what is refused, and returns what is said about it. */
  async refused(step: number, text: string): Promise<string> {
    const box = await this.box(step);
    box.value = text;
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return box.validationMessage !== undefined;
    });
    const said = box.validationMessage;
    return typeof said === 'string' ? said : (said?.message ?? '');
  }

  private async press(command: string): Promise<void> {
    const { shown } = this;
    await until(async () => {
      if (this.shown !== shown) return true;
      await vscode.commands.executeCommand(command);
      return false;
    });
  }

  private async at(step: number): Promise<QuickInput> {
    let found: QuickInput | undefined;
    await until(async () => {
      found = (this.shown?.step ?? 0) === step ? this.shown : undefined;
      return found !== undefined;
    });
    if (!found) throw new Error(`Step ${step} did not come.`);
    return found;
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('It did not come to that.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

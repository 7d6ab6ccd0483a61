import { t } from './l10n';
import { highlight } from './highlight';
import { requestInsertion } from './insert-code';
import { LineBoxes } from './line-boxes';
import { sanitize } from './sanitize';

/** A block of code in a reply: grows line by line, takes its colours when it is complete, and can be taken along. */
export class CodeBlock {
  readonly element = document.createElement('div');
  private readonly code = document.createElement('code');
  private readonly lines = new LineBoxes(this.code);
  private readonly pieces: string[] = [];

  constructor(private readonly language: string) {
    const pre = document.createElement('pre');
    // A region that scrolls must be reachable by keyboard.
    pre.tabIndex = 0;
    pre.append(this.code);
    this.element.className = 'code-block';
    this.element.append(this.header(), pre);
  }

  append(text: string): void {
    this.pieces.push(text);
    this.lines.append(text);
  }

  /** Nothing is appended after this. */
  close(): void {
    const text = this.text();
    if (this.language === '') return;
    // Colours can wait until the browser has nothing better to do.
    requestIdleCallback(() => {
      const html = this.element.isConnected ? highlight(text, this.language) : undefined;
      if (html !== undefined) this.code.replaceChildren(sanitize(html));
    });
  }

  private text(): string {
    return this.pieces.join('').replace(/\n$/, '');
  }

  private header(): HTMLElement {
    const header = document.createElement('div');
    header.className = 'code-block-header';
    const language = document.createElement('span');
    language.className = 'code-block-language';
    language.textContent = this.language;
    const insert = new IconButton(t('Insert into Editor'), 'insert', () => {
      const code = this.text();
      if (code !== '') requestInsertion(this.element, code);
    });
    const copy = new IconButton(t('Copy'), 'copy', () => {
      void navigator.clipboard.writeText(this.text()).then(() => copy.show(t('Copied'), 'check'));
    });
    header.append(language, insert.element, copy.element);
    return header;
  }
}

/** A button that may say for a moment what it has done. */
class IconButton {
  readonly element = document.createElement('button');
  private readonly icon = document.createElement('span');

  constructor(label: string, codicon: string, run: () => void) {
    const { element, icon } = this;
    const reset = (): void => this.show(label, codicon);
    icon.setAttribute('aria-hidden', 'true');
    element.type = 'button';
    element.className = 'icon-button';
    element.append(icon);
    reset();
    element.addEventListener('click', run);
    element.addEventListener('blur', reset);
    element.addEventListener('pointerleave', reset);
  }

  show(label: string, codicon: string): void {
    this.element.title = label;
    this.element.setAttribute('aria-label', label);
    this.icon.className = `codicon codicon-${codicon}`;
  }
}

import { t } from './l10n';
import { highlight } from './highlight';
import { LineBoxes } from './line-boxes';
import { sanitize } from './sanitize';

/** A block of code in a reply: grows line by line, takes its colours when it is complete, and can be copied. */
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
    header.append(language, this.copyButton());
    return header;
  }

  private copyButton(): HTMLElement {
    const button = document.createElement('button');
    const icon = document.createElement('span');
    icon.setAttribute('aria-hidden', 'true');
    const show = (label: string, codicon: string): void => {
      button.title = label;
      button.setAttribute('aria-label', label);
      icon.className = `codicon codicon-${codicon}`;
    };
    const reset = (): void => show(t('Copy code'), 'copy');
    button.type = 'button';
    button.className = 'icon-button';
    button.append(icon);
    reset();
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(this.text()).then(() => show(t('Copied'), 'check'));
    });
    button.addEventListener('blur', reset);
    button.addEventListener('pointerleave', reset);
    return button;
  }
}

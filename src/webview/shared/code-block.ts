import { most } from '../../contract/most';
import { requestFor } from './code-requests';
import { highlight } from './highlight';
import { t } from './l10n';
import { LineBoxes } from './line-boxes';
import { languageOf } from './open-fence';
import { sanitize } from './sanitize';

/** A block of code in a reply: grows line by line, takes its colours when it is complete, and can be taken along. */
export class CodeBlock {
  readonly element = document.createElement('div');
  private readonly code = document.createElement('code');
  private readonly lines = new LineBoxes(this.code);
  private readonly pieces: string[] = [];

  private readonly language: string;
  private readonly apply = new IconButton(t('Apply to File…'), 'git-pull-request-go-to-changes', () =>
    this.requestApplying(),
  );

  /** `info` is what stands behind the fence. */
  constructor(private readonly info: string) {
    this.language = languageOf(info);
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
    this.lines.close();
    const text = this.text();
    this.apply.element.disabled = false;
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

  private requestApplying(): void {
    const code = this.text();
    const info = this.info.slice(0, most.codeContext);
    const before = lineBefore(this.element).slice(-most.codeContext);
    if (code !== '') requestFor(this.element, { type: 'apply-code', code, info, before });
  }

  private header(): HTMLElement {
    // Half of a file would take the place of the whole.
    this.apply.element.disabled = true;

    const header = document.createElement('div');
    header.className = 'code-block-header';
    const language = document.createElement('span');
    language.className = 'code-block-language';
    language.textContent = this.language;
    const insert = new IconButton(t('Insert into Editor'), 'insert', () => {
      const code = this.text();
      if (code !== '') requestFor(this.element, { type: 'insert-code', code });
    });
    const copy = new IconButton(t('Copy'), 'copy', () => {
      void navigator.clipboard.writeText(this.text()).then(() => copy.show(t('Copied'), 'check'));
    });
    header.append(language, this.apply.element, insert.element, copy.element);
    return header;
  }
}

/** It often names the file. Inline code keeps its marks, by which it is known. */
function lineBefore(block: Element): string {
  // Blocks stand together in boxes.
  const previous =
    block.previousElementSibling ?? block.parentElement?.previousElementSibling?.lastElementChild;
  if (!previous || previous.matches('.code-block')) return '';
  const text = [...previous.childNodes].map((node) =>
    node.nodeName === 'CODE' ? `\`${node.textContent}\`` : node.textContent,
  );
  return text.join('').trim().split('\n').at(-1) ?? '';
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

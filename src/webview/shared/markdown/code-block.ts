import DOMPurify from 'dompurify';
import type { DOMPurify as Purifier } from 'dompurify';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { ChatToHost } from '../../../contract/chat';
import { most } from '../../../contract/most';
import { t } from '../l10n';
import { LineBoxes } from '../text/line-boxes';
import { linkLines } from '../text/path-anchors';

/**
 * A code block in a reply: grows line by line, is highlighted when complete, and has copy, insert and apply buttons.
 */
export class CodeBlock {
  readonly element = document.createElement('div');
  private readonly code = document.createElement('code');
  private readonly lines = new LineBoxes(this.code);
  private readonly pieces: string[] = [];

  private readonly language: string;
  private readonly apply = new IconButton(t('Apply to File…'), 'git-pull-request-go-to-changes', () =>
    this.requestApplying(),
  );

  /** `info` is the text after the fence. */
  constructor(private readonly info: string) {
    this.language = languageOf(info);
    const pre = document.createElement('pre');
    // A scrolling region must be reachable by keyboard.
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
    if (OUTPUTS.has(this.language)) return linkLines(this.code);
    // Highlighting waits until the browser is idle.
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
    if (code !== '') sendCodeRequest(this.element, { type: 'apply-code', code, info, before });
  }

  private header(): HTMLElement {
    // Half of a file would replace the whole.
    this.apply.element.disabled = true;

    const header = document.createElement('div');
    header.className = 'code-block-header';
    const language = document.createElement('span');
    language.className = 'code-block-language';
    language.textContent = this.language;
    const insert = new IconButton(t('Insert into Editor'), 'insert', () => {
      const code = this.text();
      if (code !== '') sendCodeRequest(this.element, { type: 'insert-code', code });
    });
    const copy = new IconButton(t('Copy'), 'copy', () => {
      void navigator.clipboard.writeText(this.text()).then(() => copy.show(t('Copied'), 'check'));
    });
    header.append(language, this.apply.element, insert.element, copy.element);
    return header;
  }
}

/** It often names the file. Inline code keeps its marks, which identify it. */
function lineBefore(block: Element): string {
  // Blocks are grouped in boxes.
  const previous =
    block.previousElementSibling ?? block.parentElement?.previousElementSibling?.lastElementChild;
  if (!previous || previous.matches('.code-block')) return '';
  const text = [...previous.childNodes].map((node) =>
    node.nodeName === 'CODE' ? `\`${node.textContent}\`` : node.textContent,
  );
  return text.join('').trim().split('\n').at(-1) ?? '';
}

/** A button that briefly shows what it has done. */
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

/** Actions on a code block of a reply. */
type CodeRequest = Extract<ChatToHost, { type: 'insert-code' | 'apply-code' }>;

const REQUEST = 'code-request';

/** Tells the page around a code block which action the user chose. */
function sendCodeRequest(block: Element, request: CodeRequest): void {
  block.dispatchEvent(new CustomEvent(REQUEST, { bubbles: true, detail: request }));
}

/** Returns a function that stops listening. */
export function onCodeRequest(root: Element, handle: (request: CodeRequest) => void): () => void {
  const listener = (event: Event): void => {
    // SAFETY: only `sendCodeRequest` sends events of this name.
    if (event instanceof CustomEvent) handle(event.detail as CodeRequest);
  };
  root.addEventListener(REQUEST, listener);
  return () => root.removeEventListener(REQUEST, listener);
}

/** Languages of what is no code: outputs of programs, and what has no name. */
const OUTPUTS: ReadonlySet<string> = new Set(['', 'text', 'txt', 'output', 'console', 'log', 'plaintext']);

const LANGUAGES = { bash, cpp, css, diff, go, java, javascript, json, python, rust, typescript, xml, yaml };

/** Longer code is not highlighted, because that would block the page. */
const MOST = 64 * 1024;

/** The code as HTML with a class for each kind of token; `undefined` if it is not highlighted. */
function highlight(code: string, language: string): string | undefined {
  if (code.length > MOST) return undefined;
  registerLanguages();
  if (!hljs.getLanguage(language)) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

function registerLanguages(): void {
  if (hljs.getLanguage('json')) return;
  for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
  hljs.registerAliases(['c', 'h'], { languageName: 'cpp' });
  hljs.registerAliases(['shell', 'shellscript'], { languageName: 'bash' });
  hljs.registerAliases(['json5', 'jsonl'], { languageName: 'json' });
}

/** A fenced code block without a closing fence so far. */
export interface UnclosedBlock {
  /** The text after the fence. */
  readonly info: string;
  readonly indent: number;
  isEnd(line: string): boolean;
  /** An incomplete line that may still become the closing fence. */
  mayBecomeEnd(line: string): boolean;
}

/** Parses the first line of a fenced code block by the rules of CommonMark. */
export function openFence(line: string): UnclosedBlock | undefined {
  const match = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line);
  if (!match) return undefined;
  const [, blanks = '', fence = '', info = ''] = match;
  const marker = fence.charAt(0);
  const end = new RegExp(`^ {0,3}${marker}{${fence.length},}[ \\t]*$`);
  const start = new RegExp(`^ {0,3}${marker}*[ \\t]*$`);
  return {
    info,
    indent: blanks.length,
    isEnd: (text) => end.test(text),
    mayBecomeEnd: (text) => start.test(text),
  };
}

/** First word after the fence: `ts` in "```ts title=a.ts". */
function languageOf(info: string): string {
  return /[\w+#.-]+/.exec(info)?.[0].toLowerCase() ?? '';
}

// Kept here because creating the sanitizer for each text is as slow as many texts.
let purifier: Purifier | undefined;

/** The only way from HTML text to nodes: output of markdown-it and highlight.js, sanitized with this allowlist. */
export function sanitize(html: string): DocumentFragment {
  purifier ??= purifierOfList();
  return purifier.sanitize(html, { RETURN_DOM_FRAGMENT: true });
}

function purifierOfList(): Purifier {
  const purify = DOMPurify(window);
  purify.setConfig({
    ALLOWED_TAGS: [
      ...['p', 'br', 'strong', 'em', 's', 'code', 'pre', 'a', 'span', 'ul', 'ol', 'li', 'blockquote', 'hr'],
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    // No `href`, `src` or `style`: nothing here can navigate, load or cover other content.
    ALLOWED_ATTR: ['class', 'data-url', 'data-path', 'title', 'role', 'tabindex', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  return purify;
}

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

const LANGUAGES = { bash, cpp, css, diff, go, java, javascript, json, python, rust, typescript, xml, yaml };

/** Longer code stays plain: colouring it would hold up the page. */
const MOST = 64 * 1024;

/** The code as HTML with a class for each kind of word; `undefined` when it stays plain. */
export function highlight(code: string, language: string): string | undefined {
  if (code.length > MOST) return undefined;
  registerLanguages();
  if (!hljs.getLanguage(language)) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

function registerLanguages(): void {
  if (hljs.getLanguage('json')) return;
  for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
  hljs.registerAliases(['c', 'h'], { languageName: 'cpp' });
  hljs.registerAliases(['shell', 'console', 'shellscript'], { languageName: 'bash' });
  hljs.registerAliases(['json5', 'jsonl'], { languageName: 'json' });
}

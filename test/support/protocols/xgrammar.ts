import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import type * as XGrammar from '@mlc-ai/web-xgrammar';

/** The grammar compiler of vLLM and SGLang. Its package claims to be a module, but contains a script. */
export function loadXGrammar(): typeof XGrammar {
  const file = path.resolve('node_modules/@mlc-ai/web-xgrammar/lib/index.js');
  const script = new Module(file) as Module & { _compile(code: string, file: string): void };
  script.filename = file;
  script._compile(readFileSync(file, 'utf8'), file);
  // SAFETY: its types describe the exports of the script.
  return script.exports as typeof XGrammar;
}

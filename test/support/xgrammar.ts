import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import type * as XGrammar from '@mlc-ai/web-xgrammar';

/** The compiler of grammars that vLLM and SGLang use. Its package says that it is a module and holds a script. */
export function loadXGrammar(): typeof XGrammar {
  const file = path.resolve('node_modules/@mlc-ai/web-xgrammar/lib/index.js');
  const script = new Module(file) as Module & { _compile(code: string, file: string): void };
  script.filename = file;
  script._compile(readFileSync(file, 'utf8'), file);
  // SAFETY: its own types describe what the script exports.
  return script.exports as typeof XGrammar;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sentenceTranslator, type Bundle } from '../base/translate-sentence';

// Made at first use and kept: the language of a process does not change.
let translate: ((english: string) => string) | undefined;

/** Translates an English sentence into the language of the environment, if Parley has it. */
export function said(english: string): string {
  translate ??= inLanguage(process.env);
  return translate(english);
}

function inLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): (english: string) => string {
  const language = LC_ALL || LC_MESSAGES || LANG || '';
  // For Chinese there is only the simplified script.
  if (!/^zh(?:_(?:CN|SG)|[_-]Hans|$|\.)/i.test(language)) return (english) => english;
  return sentenceTranslator(readBundle());
}

/** Beside the folder of our bundle, as packages and the repository have it. */
function readBundle(): Bundle {
  try {
    const text = readFileSync(path.join(__dirname, '..', 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8');
    // SAFETY: the file is one of our own.
    return JSON.parse(text) as Bundle;
  } catch (error) {
    // Without the file, use English.
    if (error instanceof Error && 'code' in error) return {};
    throw error;
  }
}

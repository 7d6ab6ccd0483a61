/** `https://x`, also as the value of an option; `user@host:path`, `host:port`, an address in numbers. */
const ADDRESS =
  /(?:^|[=,@+])[a-z][a-z\d+.-]*:\/\/|^[\w.-]+@[\w.-]+:|(?:^|[=@/,])(?:localhost|(?:[\w-]+\.)+[a-z]{2,}|\[[\da-f:]+\]):\d{1,5}(?!\d)|(?:^|[=@/,])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|^(?:data|ext|file):/iu;
const URL = /^(?:--?[\w-]+=)?[a-z][a-z\d+.-]*:\/\/(?!\.)[\w@[]/iu;
const LOCAL = /file:[\\/]/iu;

/** Whether a word is or holds an address, however it is written. */
export function isAddress(word: string): boolean {
  return ADDRESS.test(word);
}

/** Whether a word is an address of another machine, alone or as the value of an option, that no path could be. */
export function isUrl(word: string): boolean {
  return URL.test(word) && !LOCAL.test(word);
}

/** Whether an address lies below the one that a rule names: `https://api.example.com/`, `api.example.com/`. */
export function isBelow(base: string, word: string): boolean {
  if (LOCAL.test(word) || word.includes('\\')) return false;
  return (
    word.startsWith(base) || (!base.includes('://') && word.replace(/^https?:\/\//iu, '').startsWith(base))
  );
}

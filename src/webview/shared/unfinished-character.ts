/** How many units at the end of a growing text wait for their other half: a carriage return, half a surrogate pair. */
export function unfinishedCharacter(text: string): number {
  return /[\r\ud800-\udbff]$/.test(text.slice(-1)) ? 1 : 0;
}

/** For each line after an edit the line before it that it is; `undefined` for those that the edit has written. */
export function lineOrigins(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = commonLines(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  ).map((index) => (index === undefined ? undefined : head + index));
  return after.map((_, index) => {
    if (index < head) return index;
    const fromEnd = after.length - index;
    return fromEnd <= tail ? before.length - fromEnd : middle[index - head];
  });
}

/** Lines compared with lines. An edit beyond it is hardly one of single lines. */
const MOST_COMPARED = 1_000_000;

/** The longest common subsequence: as many lines as can stay. */
function commonLines(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const none = after.map(() => undefined);
  if (before.length * after.length > MOST_COMPARED) return none;
  const width = after.length + 1;
  /** How many lines of the rests of both are common, by where the rests begin. */
  const lengths = new Uint32Array((before.length + 1) * width);
  const length = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const origins: (number | undefined)[] = none;
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) origins[j++] = i++;
    else if (length(i + 1, j) >= length(i, j + 1)) i++;
    else j++;
  }
  return origins;
}

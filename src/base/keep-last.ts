/**
 * The function with a cache of its last few results. For keys that are lists of the same objects again and again: two
 * keys are equal if all their parts are.
 */
export function keepLast<Key extends readonly unknown[], Answer>(
  most: number,
  make: (...key: Key) => Answer,
): (...key: Key) => Answer {
  let kept: readonly { readonly key: Key; readonly answer: Answer }[] = [];
  return (...key) => {
    const known = kept.find((each) => isSame(each.key, key));
    if (known) return known.answer;
    const answer = make(...key);
    kept = [{ key, answer }, ...kept].slice(0, most);
    return answer;
  };
}

/** Lists are equal if their items are. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!Array.isArray(one) || !Array.isArray(other)) return false;
  return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
}

import { useState } from 'preact/hooks';
import { useLab } from './lab-context';

/** As `useState`, but it survives hiding the page and reloading the window. The name is one of a kind in the lab. */
export function useKept<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const lab = useLab();
  // SAFETY: what stands under the name was kept by the same component.
  const [value, setValue] = useState(() => (lab.recall(name) as Value | undefined) ?? initial);
  const keep = (next: Value): void => {
    setValue(() => next);
    lab.keep(name, next);
  };
  return [value, keep];
}

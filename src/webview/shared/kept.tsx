import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { Json } from '../../base/json';

/** Storage for the state of a page: what the user unfolded and typed. */
export interface KeptStates {
  get(key: string): Json | undefined;
  /** `undefined` if the user has not touched it. */
  set(key: string, value: Json | undefined): void;
}

/** Keys are paths through the page, so that equal parts have separate states. */
interface Scope {
  readonly states: KeptStates | undefined;
  readonly path: string;
}

const Scope = createContext<Scope>({ states: undefined, path: '' });

/** A page that keeps state. Elsewhere, state lasts as long as its component. */
export function KeepingStates(props: {
  readonly states: KeptStates;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { states, children } = props;
  const scope = useMemo(() => ({ states, path: '' }), [states]);
  return <Scope.Provider value={scope}>{children}</Scope.Provider>;
}

/** A part of the page; `name` distinguishes it from its siblings, also after a reload. */
export function KeptScope(props: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { name, children } = props;
  const { states, path } = useContext(Scope);
  const scope = useMemo(() => ({ states, path: `${path}${name}/` }), [states, path, name]);
  return <Scope.Provider value={scope}>{children}</Scope.Provider>;
}

/** State that survives unmounting of its component and reloading the page. */
export function useKept<T extends Json>(name: string, initial: T): [T, (value: T) => void] {
  const { states, path } = useContext(Scope);
  const key = path + name;
  // SAFETY: only this setter writes under this key.
  const [value, setValue] = useState<T>(() => (states?.get(key) as T | undefined) ?? initial);
  const set = (next: T): void => {
    setValue(() => next);
    states?.set(key, next === initial ? undefined : next);
  };
  return [value, set];
}

interface FoldProps {
  readonly summary: string;
  /** Quieter text behind the summary. */
  readonly detail?: string;
  /** Open until the user closes it. */
  readonly opens?: boolean;
  readonly children: ComponentChildren;
}

/** Content that is created when it is unfolded. It stays unfolded after a reload. */
export function Fold({ summary, detail, opens = false, children }: FoldProps): JSX.Element {
  const [chosen, setChosen] = useKept<boolean | null>(summary, null);
  const isOpen = chosen ?? opens;
  const toggled = (open: boolean): void => {
    // Also called when the page opens it.
    if (open !== isOpen) setChosen(open === opens ? null : open);
  };
  return (
    <details class="fold" open={isOpen} onToggle={(event) => toggled(event.currentTarget.open)}>
      <summary>
        {summary}
        {detail !== undefined && <span class="quiet fold-detail">{detail}</span>}
      </summary>
      {isOpen && <KeptScope name={summary}>{children}</KeptScope>}
    </details>
  );
}

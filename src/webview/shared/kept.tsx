import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import type { Json } from '../../base/json';

/** Where a page keeps what the user has done to its look: unfolded here, written something there. */
export interface KeptStates {
  get(key: string): Json | undefined;
  /** `undefined` is what nobody has touched. */
  set(key: string, value: Json | undefined): void;
}

/** Keys are paths through the page, so that equal parts of it have states of their own. */
interface Scope {
  readonly states: KeptStates | undefined;
  readonly path: string;
}

const Scope = createContext<Scope>({ states: undefined, path: '' });

/** A page that keeps states. Elsewhere they last as long as their component. */
export function KeepingStates(props: {
  readonly states: KeptStates;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { states, children } = props;
  const scope = useMemo(() => ({ states, path: '' }), [states]);
  return <Scope.Provider value={scope}>{children}</Scope.Provider>;
}

/** A part of the page; `name` tells it from its siblings, also after a reload. */
export function KeptScope(props: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { name, children } = props;
  const { states, path } = useContext(Scope);
  const scope = useMemo(() => ({ states, path: `${path}${name}/` }), [states, path, name]);
  return <Scope.Provider value={scope}>{children}</Scope.Provider>;
}

/** A state that is there again when its component is, also after a reload of the page. */
export function useKept<T extends Json>(name: string, initial: T): [T, (value: T) => void] {
  const { states, path } = useContext(Scope);
  const key = path + name;
  // SAFETY: nobody but this line's own setter writes under this key.
  const [value, setValue] = useState<T>(() => (states?.get(key) as T | undefined) ?? initial);
  const set = (next: T): void => {
    setValue(() => next);
    states?.set(key, next === initial ? undefined : next);
  };
  return [value, set];
}

interface FoldProps {
  readonly summary: string;
  /** Quieter, behind the summary. */
  readonly detail?: string;
  /** It is open for as long as the user has not closed it. */
  readonly opens?: boolean;
  readonly children: ComponentChildren;
}

/** Content that is made when it is unfolded. Whoever has unfolded it finds it so again. */
export function Fold({ summary, detail, opens = false, children }: FoldProps): JSX.Element {
  const [chosen, setChosen] = useKept<boolean | null>(summary, null);
  const isOpen = chosen ?? opens;
  const toggled = (open: boolean): void => {
    // It is also told of what the page itself has opened.
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

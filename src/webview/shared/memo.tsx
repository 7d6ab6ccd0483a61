import { Component, type ComponentType, type JSX } from 'preact';

/** Redraws the component only when one of its properties changes. */
export function memo<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !sameValues(this.props, next);
    }

    override render(): JSX.Element {
      return <Inner {...this.props} />;
    }
  };
}

function sameValues(first: object, second: object): boolean {
  const before = new Map<string, unknown>(Object.entries(first));
  const after = Object.entries(second);
  return (
    before.size === after.length &&
    after.every(([key, value]) => before.has(key) && before.get(key) === value)
  );
}

import type { JSX } from 'preact';

interface Props {
  readonly label: string;
  /** What it looks through, where the label alone does not say. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** Where the user writes what a list is looked through for. */
export function SearchField({ label, placeholder = label, value, onInput }: Props): JSX.Element {
  return (
    <input
      class="text-field"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

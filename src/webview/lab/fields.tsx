import type { JSX } from 'preact';
import { visibleText } from '../../base/text';

interface SearchFieldProps {
  readonly label: string;
  /** What it filters, if the label alone does not say. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** A text box that filters a list. */
export function SearchField({ label, placeholder = label, value, onInput }: SearchFieldProps): JSX.Element {
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

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly isDisabled?: boolean;
  readonly onPick: (value: Value) => void;
}

/** A combo box with its label. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  isDisabled = false,
  onPick,
}: SelectFieldProps<Value>): JSX.Element {
  const pick = (wanted: string): void => {
    const option = options.find((each) => each.value === wanted);
    if (option) onPick(option.value);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <select
        class="select-field"
        value={value}
        disabled={isDisabled}
        onChange={(event) => pick(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {visibleText(option.label)}
          </option>
        ))}
      </select>
    </label>
  );
}

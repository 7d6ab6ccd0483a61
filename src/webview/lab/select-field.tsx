import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onPick: (value: Value) => void;
}

/** A combo box with its label in front. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onPick,
}: Props<Value>): JSX.Element {
  const pick = (wanted: string): void => {
    const option = options.find((each) => each.value === wanted);
    if (option) onPick(option.value);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <select class="select-field" value={value} onChange={(event) => pick(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {visibleText(option.label)}
          </option>
        ))}
      </select>
    </label>
  );
}

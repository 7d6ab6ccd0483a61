import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import type { Picker } from '../../../contract/chat';
import { Icon } from '../../shared/icon';

interface PickerSelectProps {
  readonly label: string;
  readonly picker: Picker;
  readonly onPick: (value: string) => void;
}

/** Shows the host's choice. A pick counts only after the host accepted it. */
export function PickerSelect({ label, picker, onPick }: PickerSelectProps): JSX.Element {
  const { value, options } = picker;
  const id = useId();
  const detail = options.find((option) => option.value === value)?.detail;
  const onChange = (select: HTMLSelectElement): void => {
    const wanted = select.value;
    select.value = value;
    onPick(wanted);
  };
  return (
    <div class="picker">
      <label for={id}>{label}</label>
      <span class="picker-choice">
        <select
          id={id}
          value={value}
          aria-describedby={detail === undefined ? undefined : `${id}-detail`}
          onChange={(event) => onChange(event.currentTarget)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} title={visibleText(option.detail ?? '')}>
              {visibleText(option.label)}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
      {detail !== undefined && (
        <p id={`${id}-detail`} class="picker-detail">
          {visibleText(detail)}
        </p>
      )}
    </div>
  );
}

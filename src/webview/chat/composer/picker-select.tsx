import type { JSX } from 'preact';
import { visibleText } from '../../../base/text';
import type { Picker } from '../../../contract/chat';
import { Icon } from '../../shared/icon';

interface PickerSelectProps {
  readonly label: string;
  readonly icon: string;
  readonly picker: Picker;
  /** Called before the list opens. */
  readonly onOpen: () => void;
  readonly onPick: (value: string) => void;
}

/** Keys that open a list, or choose from it while it is closed. */
const OPENING = new Set([' ', 'Enter', 'ArrowDown', 'ArrowUp']);

/** Shows the host's choice. A pick counts only after the host accepted it. */
export function PickerSelect({ label, icon, picker, onOpen, onPick }: PickerSelectProps): JSX.Element {
  const { value, options } = picker;
  const chosen = options.find((option) => option.value === value);
  const onChange = (select: HTMLSelectElement): void => {
    const wanted = select.value;
    select.value = value;
    onPick(wanted);
  };
  return (
    <span class="picker" title={chosen?.detail ? `${label}: ${visibleText(chosen.detail)}` : label}>
      <Icon name={icon} />
      <select
        aria-label={label}
        value={value}
        onPointerDown={onOpen}
        onKeyDown={({ key }) => OPENING.has(key) && onOpen()}
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
  );
}

import type { Frame, Locator, Page } from 'playwright-core';

/** A combo box of the chat, by its name. */
export type PickerName = 'Model' | 'Protocol' | 'Thinking effort' | 'Agent' | 'Mode';

/** The buttons below the message box, and the combo boxes in their panels. */
const CHIPS = {
  'Model and protocol': ['Model', 'Protocol', 'Thinking effort'],
  'Agent and mode': ['Agent', 'Mode'],
} as const satisfies Readonly<Record<string, readonly PickerName[]>>;

/** The button whose panel has this combo box. It shows the choices of its first two. */
export function pickerChip(chat: Page | Frame, name: PickerName): Locator {
  const [label = ''] = Object.entries(CHIPS).find(([, names]) => names.some((each) => each === name)) ?? [];
  return chat.getByRole('button', { name: new RegExp(`^${label}: `) });
}

/** Opens the panel that has this combo box, if it is closed. */
export async function openPicker(chat: Page | Frame, name: PickerName): Promise<Locator> {
  const chip = pickerChip(chat, name);
  if ((await chip.getAttribute('aria-expanded')) !== 'true') await chip.click();
  return chat.getByRole('combobox', { name, exact: true });
}

/** Closes the panel, which would cover the conversation. */
export async function closePicker(picker: Locator): Promise<void> {
  await picker.press('Escape');
}

/** Picks a value, and closes the panel. */
export async function pickIn(chat: Page | Frame, name: PickerName, value: string): Promise<void> {
  const picker = await openPicker(chat, name);
  await picker.selectOption(value);
  await closePicker(picker);
}

/** The value of a combo box. */
export async function pickedIn(chat: Page | Frame, name: PickerName): Promise<string> {
  const picker = await openPicker(chat, name);
  const value = await picker.inputValue();
  await closePicker(picker);
  return value;
}

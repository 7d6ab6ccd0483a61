import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import type { PickerId, Pickers } from '../../../contract/chat';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';
import { PickerSelect } from './picker-select';

type ChipId = 'model' | 'agent';

/** Pickers that a chip opens. */
interface Chip {
  readonly id: ChipId;
  readonly label: string;
  readonly icon: string;
  readonly pickers: readonly { readonly id: PickerId; readonly label: string }[];
}

/** What the next message is answered with, on two buttons; each opens a panel to change it. */
export function PickerChips({ pickers }: { readonly pickers: Pickers }): JSX.Element {
  const [open, setOpen] = useState<ChipId>();
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open === undefined) return undefined;
    const closeOutside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !area.current?.contains(target)) setOpen(undefined);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !area.current?.contains(relatedTarget)) setOpen(undefined);
  };
  const close = (id: ChipId): void => {
    setOpen(undefined);
    area.current?.querySelector<HTMLElement>(`#chip-${id}`)?.focus();
  };
  const chips = chipsInOrder();
  const shown = chips.find(({ id }) => id === open);
  return (
    <div class="pickers" ref={area} onFocusOut={onFocusOut}>
      {chips.map(({ id, label, icon, pickers: listed }) => {
        const text = listed
          .slice(0, CHOICES_SHOWN)
          .map((each) => chosenLabel(pickers, each.id))
          .join(' · ');
        return (
          <button
            key={id}
            id={`chip-${id}`}
            type="button"
            class="chip"
            aria-label={t('{0}: {1}', label, text)}
            title={t('{0}: {1}', label, text)}
            aria-haspopup="dialog"
            aria-expanded={open === id}
            onClick={() => setOpen(open === id ? undefined : id)}
          >
            <Icon name={icon} />
            <span class="chip-text">{text}</span>
            <Icon name="chevron-down" />
          </button>
        );
      })}
      {shown && <PickerPanel chip={shown} pickers={pickers} onClose={() => close(shown.id)} />}
    </div>
  );
}

/** Choices on a chip; the panel may have more. */
const CHOICES_SHOWN = 2;

function chosenLabel(pickers: Pickers, id: PickerId): string {
  const picker = pickers[id];
  const chosen = picker?.options.find(({ value }) => value === picker.value);
  return visibleText(chosen?.label ?? picker?.value ?? '');
}

interface PickerPanelProps {
  readonly chip: Chip;
  readonly pickers: Pickers;
  readonly onClose: () => void;
}

function PickerPanel({ chip, pickers, onClose }: PickerPanelProps): JSX.Element {
  const chat = useChat();
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    panel.current?.querySelector('select')?.focus();
    // The user is about to choose.
    chat.post({ type: 'open-picker', picker: chip.id });
  }, [chip.id]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div class="picker-panel" role="dialog" aria-label={chip.label} ref={panel} onKeyDown={onKeyDown}>
      {chip.pickers.map(({ id, label }) => {
        const picker = pickers[id];
        return (
          picker && (
            <PickerSelect
              key={id}
              label={label}
              picker={picker}
              onPick={(value) => chat.post({ type: 'pick', picker: id, value })}
            />
          )
        );
      })}
    </div>
  );
}

function chipsInOrder(): readonly Chip[] {
  return [
    {
      id: 'model',
      label: t('Model and protocol'),
      icon: 'chip',
      pickers: [
        { id: 'model', label: t('Model') },
        { id: 'protocol', label: t('Protocol') },
        { id: 'effort', label: t('Thinking effort') },
      ],
    },
    {
      id: 'agent',
      label: t('Agent and mode'),
      icon: 'robot',
      pickers: [
        { id: 'agent', label: t('Agent') },
        { id: 'mode', label: t('Mode') },
      ],
    },
  ];
}

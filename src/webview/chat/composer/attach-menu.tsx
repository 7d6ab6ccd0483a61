import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Attachable } from '../../../contract/chat';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';

interface AttachItem {
  readonly label: string;
  readonly icon: string;
  /** What the host lets the user choose, or a mention. */
  readonly adds: Attachable | '@problems' | '@terminal';
}

/** The button **Attach** and its menu. */
export function AttachMenu(): JSX.Element {
  const chat = useChat();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isOpen) area.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !area.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const take = ({ adds }: AttachItem): void => {
    setOpen(false);
    chat.requestFocus();
    if (adds === '@problems' || adds === '@terminal') return chat.insert(adds);
    const isForEarlier = chat.editing.value !== undefined;
    chat.post({ type: 'attach', what: adds, ...(isForEarlier && { isForEarlier }) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(false);
      button.current?.focus();
      if (event.key === 'Escape') event.stopPropagation();
      return;
    }
    const items = [...(area.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const next = nextIndex(
      event.key,
      items.findIndex((item) => item === document.activeElement),
      items.length,
    );
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Node && !area.current?.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div class="attach" ref={area} onFocusOut={onFocusOut}>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={t('Attach')}
        title={t('Attach')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="add" />
      </button>
      {isOpen && (
        <div class="attach-menu" role="menu" aria-label={t('Attach')} onKeyDown={onKeyDown}>
          {attachItems().map((item) => (
            <button
              key={item.adds}
              type="button"
              role="menuitem"
              class="attach-item"
              tabIndex={-1}
              onClick={() => take(item)}
            >
              <Icon name={item.icon} />
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function nextIndex(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

function attachItems(): readonly AttachItem[] {
  return [
    { label: t('Files…'), icon: 'file', adds: 'files' },
    { label: t('Folder…'), icon: 'folder', adds: 'folder' },
    { label: t('Image…'), icon: 'device-camera', adds: 'image' },
    { label: t('Selection'), icon: 'selection', adds: 'selection' },
    { label: t('Problems'), icon: 'error', adds: '@problems' },
    { label: t('Terminal output'), icon: 'terminal', adds: '@terminal' },
    { label: t('Changes'), icon: 'diff', adds: 'changes' },
    { label: t('Past conversation…'), icon: 'history', adds: 'conversation' },
  ];
}

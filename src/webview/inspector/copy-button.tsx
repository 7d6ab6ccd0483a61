import type { JSX } from 'preact';
import type { InspectorSection } from '../../contract/inspector';
import { Icon } from '../shared/icon';
import { useInspector } from './inspector-context';

interface Props {
  readonly section: InspectorSection;
  readonly label: string;
}

/** Has the host put a part of the page into the clipboard. */
export function CopyButton({ section, label }: Props): JSX.Element {
  const inspector = useInspector();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => inspector.post({ type: 'copy', section })}
    >
      <Icon name="copy" />
    </button>
  );
}

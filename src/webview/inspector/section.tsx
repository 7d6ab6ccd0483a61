import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { InspectorSection } from '../../contract/inspector';
import { IconButton } from '../shared/icon-button';
import { useInspector } from './inspector-context';

interface Props {
  readonly name: InspectorSection;
  readonly title: string;
  /** What the button copies, in words. */
  readonly copy: string;
  readonly children: ComponentChildren;
}

/** A part of the page, with a button that copies it. */
export function Section({ name, title, copy, children }: Props): JSX.Element {
  const inspector = useInspector();
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-header">
        <h2 id={id}>{title}</h2>
        <IconButton
          icon="copy"
          label={copy}
          onClick={() => inspector.post({ type: 'copy', section: name })}
        />
      </div>
      {children}
    </section>
  );
}

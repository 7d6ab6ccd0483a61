import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { visibleText } from '../../../base/visible-text';
import type { Preview } from '../../../core/tool';
import { t } from '../l10n';
import { sizeOf } from '../text-size';
import { commandText } from './command-text';

interface Props {
  readonly preview: Extract<Preview, { readonly type: 'command' }>;
}

/** A command exactly as it runs: where, and which simple commands are in it. */
export function CommandPreview({ preview }: Props): JSX.Element {
  const { command, cwd, commands } = preview;
  const box = useRef<HTMLPreElement>(null);
  const isCut = useOverflow(box);
  return (
    <div class="command">
      {/* In a box of limited height, so that its beginning and the buttons can be seen together. */}
      <pre class="command-text" role="group" aria-label={t('Command')} tabIndex={0} ref={box}>
        {commandText(command)}
      </pre>
      {isCut && <p class="command-cut">{t('Scroll to read all of it: {0}', sizeOf(command))}</p>}
      <p class="quiet">{t('in {0}', visibleText(cwd))}</p>
      {commands.length === 0 && <p class="quiet">{t('Its parts could not be told apart.')}</p>}
      {commands.length > 1 && (
        <>
          <p class="quiet">{t('Runs {0} commands:', commands.length)}</p>
          <ol class="command-parts" aria-label={t('Commands')} tabIndex={0}>
            {commands.map((words, index) => (
              <li key={index}>
                <code>{commandText(words.map(quoted).join(' '))}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** Whether the box holds more than it shows at once. */
function useOverflow(box: RefObject<HTMLElement | null>): boolean {
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setOver(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isOver;
}

function quoted(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : `'${word}'`;
}

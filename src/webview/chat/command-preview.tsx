import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Preview } from '../../core/tool';
import { t } from '../shared/l10n';
import { showPadding } from './show-padding';

interface Props {
  readonly preview: Extract<Preview, { readonly type: 'command' }>;
}

/** A command exactly as it runs: where, and which simple commands are in it. */
export function CommandPreview({ preview }: Props): JSX.Element {
  const { command, cwd, commands } = preview;
  return (
    <div class="command">
      <pre class="command-text">{showPadding(visibleText(command))}</pre>
      <p class="quiet">{t('in {0}', visibleText(cwd))}</p>
      {commands.length === 0 && <p class="quiet">{t('Its parts could not be told apart.')}</p>}
      {commands.length > 1 && (
        <>
          <p class="quiet">{t('Runs {0} commands:', commands.length)}</p>
          <ol class="command-parts">
            {commands.map((words, index) => (
              <li key={index}>
                <code>{visibleText(words.map(quoted).join(' '))}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function quoted(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : `'${word}'`;
}

import type { JSX } from 'preact';
import type { ModelOrigin, Picker } from '../../contract/chat';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

interface Props {
  readonly model: Picker;
}

/** What the chat shows before the first message: what it is, what to try, and where a model can come from. */
export function EmptyState({ model }: Props): JSX.Element {
  const chat = useChat();
  const picked = model.options.find(({ value }) => value === model.value);
  const isScripted = picked?.isScripted === true;
  const fill = (example: string): void => {
    chat.write(example);
    chat.requestFocus();
  };
  return (
    <div class="empty-state">
      <p class="empty-state-lead">{t('A coding agent for any model.')}</p>
      <p>{t('You choose how it calls tools, see every call it makes and decide what runs.')}</p>
      <p>{t('Type @ to take along files, folders, problems or what the terminal shows.')}</p>
      <div class={isScripted ? 'examples' : 'examples in-words'} role="group" aria-label={t('Examples')}>
        {(isScripted ? SENTENCES : examples()).map((example) => (
          <button key={example} type="button" class="example" onClick={() => fill(example)}>
            <Icon name="arrow-small-right" />
            {example}
          </button>
        ))}
      </div>
      <p>
        {isScripted ? t('The demo follows a script. Take a real model from:') : t('Take another model from:')}
      </p>
      <div class="examples in-words origins" role="group" aria-label={t('Where models come from')}>
        {origins().map(({ from, icon, label }) =>
          from === 'demo' && isScripted ? null : (
            <button
              key={from}
              type="button"
              class="example"
              onClick={() => chat.post({ type: 'choose-model', from })}
            >
              <Icon name={icon} />
              {label}
            </button>
          ),
        )}
      </div>
    </div>
  );
}

/** What the demo's script can do in any folder. It is typed as it stands, so it is not translated. */
const SENTENCES = ['list', 'search TODO', 'create hello.txt with Hello there'];

function examples(): readonly string[] {
  return [
    t('What is this project, and how is it built?'),
    t('Find the TODOs and say which matter most.'),
    t('Look at @problems and fix the first one.'),
  ];
}

function origins(): readonly { readonly from: ModelOrigin; readonly icon: string; readonly label: string }[] {
  return [
    { from: 'vscode', icon: 'vscode', label: t('VS Code') },
    { from: 'local', icon: 'server', label: t('Local server') },
    { from: 'endpoint', icon: 'key', label: t('Endpoint or key') },
    { from: 'demo', icon: 'play-circle', label: t('Demo') },
  ];
}

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { never } from '../../base/never';
import type { ModelOrigin, Picker, Starters, StarterTask } from '../../contract/chat';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { useChat } from './chat-context';

interface Props {
  readonly model: Picker;
}

/** The chat before the first message: what Parley is, first tasks, and ways to add a model. */
export function EmptyState({ model }: Props): JSX.Element {
  const chat = useChat();
  useEffect(() => chat.post({ type: 'list-starters' }), [chat]);
  const picked = model.options.find(({ value }) => value === model.value);
  const isScripted = picked?.isScripted === true;
  const starters = chat.starters.value;
  const fill = (task: string): void => {
    chat.write(task);
    chat.requestFocus();
  };
  return (
    <div class="empty-state">
      <p class="empty-state-lead">{t('A coding agent for any model.')}</p>
      <p>{t('See every call and decide what runs.')}</p>
      <div class="examples" role="group" aria-label={t('Examples')}>
        {starters &&
          sentences(starters, isScripted).map((sentence) => (
            <button key={sentence} type="button" class="example" onClick={() => fill(sentence)}>
              <Icon name="arrow-small-right" />
              {sentence}
            </button>
          ))}
        {starters?.hasFolder === false && (
          <button type="button" class="example" onClick={() => chat.post({ type: 'open-folder' })}>
            <Icon name="folder-opened" />
            {t('Open a folder…')}
          </button>
        )}
      </div>
      <p>{isScripted ? t('The demo follows a script. To use a real model:') : t('To use another model:')}</p>
      <div class="examples origins" role="group" aria-label={t('Ways to add a model')}>
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

function sentences({ hasFolder, tasks }: Starters, isScripted: boolean): readonly string[] {
  if (isScripted) return hasFolder ? tasks.map(scripted) : ['What can you do?'];
  return hasFolder ? tasks.map(inWords) : general();
}

/** Commands of the demo script, so they are not translated. */
function scripted(task: StarterTask): string {
  switch (task.type) {
    case 'explain':
      return `Explain ${task.path}`;
    case 'uses':
      return `Find where ${task.name} is used`;
    case 'tests':
      return 'Run the tests and fix what fails';
    case 'project':
      return 'What is this project?';
    case 'todos':
      return 'search TODO';
    case 'list':
      return 'list';
    default:
      return never(task);
  }
}

function inWords(task: StarterTask): string {
  switch (task.type) {
    case 'explain':
      return t('Explain {0}', task.path);
    case 'uses':
      return t('Find where {0} is used', task.name);
    case 'tests':
      return t('Run the tests and fix what fails');
    case 'project':
      return t('What is this project, and how is it built?');
    case 'todos':
      return t('Find the TODOs and say which matter most.');
    case 'list':
      return t('List what is in this folder.');
    default:
      return never(task);
  }
}

/** Tasks that need no files. */
function general(): readonly string[] {
  return [
    t('Explain how a hash table works, with a short example.'),
    t('Write a regular expression that finds dates, and explain it.'),
  ];
}

function origins(): readonly { readonly from: ModelOrigin; readonly icon: string; readonly label: string }[] {
  return [
    { from: 'local', icon: 'server', label: t('Look for models on this machine') },
    { from: 'endpoint', icon: 'add', label: t('Add a model…') },
    { from: 'vscode', icon: 'vscode', label: t('VS Code') },
    { from: 'demo', icon: 'play-circle', label: t('Demo') },
  ];
}

import type { JSX } from 'preact';
import { visibleText } from '../../base/text';
import type { GatewayPage, GatewayToHost, ServedItem } from '../../contract/lab-gateway';
import { Icon } from '../shared/icon';
import { durationText, t } from '../shared/l10n';
import { useLab } from './lab-state';
import { ParseButtons } from './parse-buttons';
import { useHostPage } from './use-host-page';

/** Requests of other programs and VS Code to Parley's models, and their results. */
export function GatewayTab(): JSX.Element {
  const { page, problem } = useHostPage('gateway', 'gateway-state', 'gateway-changed');
  return (
    <div class="gateway-tab">
      {problem !== undefined && <p role="alert">{visibleText(problem)}</p>}
      {page && <GatewayState running={page.running} />}
      {page && <Requests requests={page.requests} />}
    </div>
  );
}

function GatewayState({ running }: { readonly running: GatewayPage['running'] }): JSX.Element {
  const lab = useLab();
  const button = (label: string, message: GatewayToHost): JSX.Element => (
    <button type="button" class="button button-secondary" onClick={() => lab.post(message)}>
      {label}
    </button>
  );
  return (
    <section class="gateway-state" aria-label={t('Gateway')}>
      <p role="status">
        {running
          ? t('Programs on this machine can use {0} at {1}.', visibleText(running.name), running.address)
          : t("The gateway is off. Models offered to VS Code's chat still work there.")}
      </p>
      <div class="buttons">
        {running ? (
          <>
            {button(t('Copy Address'), { type: 'copy-gateway', what: 'address' })}
            {button(t('Copy Token'), { type: 'copy-gateway', what: 'token' })}
            {button(t('Stop Gateway'), { type: 'stop-gateway' })}
          </>
        ) : (
          button(t('Start Gateway'), { type: 'start-gateway' })
        )}
      </div>
    </section>
  );
}

function Requests({ requests }: Pick<GatewayPage, 'requests'>): JSX.Element {
  const lab = useLab();
  if (requests.length === 0) {
    return <p class="quiet">{t('No requests yet.')}</p>;
  }
  return (
    <section aria-label={t('Last requests')}>
      <div class="detail-head">
        <h2>{t('Last requests')}</h2>
        <button type="button" class="link-button" onClick={() => lab.post({ type: 'forget-served' })}>
          {t('Clear')}
        </button>
      </div>
      <p class="quiet">{sumTexts(requests).join(' · ')}</p>
      <ul class="served-list">
        {requests.map((request) => (
          <Request key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}

function Request({ request }: { readonly request: ServedItem }): JSX.Element {
  const { id, door, model, time, state, durationMs, problems, protocols } = request;
  const took = durationMs === undefined ? [] : [durationText(durationMs)];
  const facts = [...countTexts(request), ...tokenTexts(request), ...took];
  return (
    <li class={`served served-${state}`}>
      <div class="served-head">
        <Icon name={STATE_ICONS[state]} />
        <span>{stateText(state)}</span>
        <time class="quiet" dateTime={new Date(time).toISOString()}>
          {new Date(time).toLocaleTimeString(document.documentElement.lang || 'en')}
        </time>
        <span class="tool-name">{visibleText(model)}</span>
        <span class="quiet">{door === 'vscode' ? t('to VS Code') : t('to another program')}</span>
        {protocols.length > 0 && <code>{protocols.at(-1)}</code>}
      </div>
      <p>{facts.join(' · ')}</p>
      {problems.length > 0 && (
        <ul class="run-problems">
          {problems.map((problem, at) => (
            <li key={at}>{visibleText(problem)}</li>
          ))}
        </ul>
      )}
      <ParseButtons
        count={protocols.length}
        message={(reply) => ({ type: 'parse-served', request: id, reply })}
      />
    </li>
  );
}

const STATE_ICONS: Readonly<Record<ServedItem['state'], string>> = {
  running: 'sync',
  done: 'check',
  failed: 'error',
  stopped: 'circle-slash',
};

function stateText(state: ServedItem['state']): string {
  switch (state) {
    case 'running':
      return t('Running');
    case 'done':
      return t('Answered');
    case 'failed':
      return t('Failed');
    case 'stopped':
      return t('The program disconnected');
  }
}

type Counts = Pick<ServedItem, 'calls' | 'repaired' | 'retried' | 'rejected'>;

function countTexts({ calls, repaired, retried, rejected }: Counts): readonly string[] {
  return [
    calls === 1 ? t('1 call') : t('{0} calls', calls),
    ...(repaired > 0 ? [t('{0} repaired', repaired)] : []),
    ...(retried > 0 ? [t('{0} requested again', retried)] : []),
    ...(rejected > 0 ? [t('{0} shown as text', rejected)] : []),
  ];
}

function tokenTexts({ tokens }: Pick<ServedItem, 'tokens'>): readonly string[] {
  if (!tokens) return [];
  const { in: read, out, isEstimated } = tokens;
  const about = isEstimated ? '≈ ' : '';
  return [t('{0} in', about + read.toLocaleString()), t('{0} out', about + out.toLocaleString())];
}

/** Totals of all requests. */
function sumTexts(requests: readonly ServedItem[]): readonly string[] {
  const sum = (count: (request: ServedItem) => number): number =>
    requests.reduce((total, request) => total + count(request), 0);
  const counts = {
    calls: sum(({ calls }) => calls),
    repaired: sum(({ repaired }) => repaired),
    retried: sum(({ retried }) => retried),
    rejected: sum(({ rejected }) => rejected),
  };
  const tokens = {
    in: sum((request) => request.tokens?.in ?? 0),
    out: sum((request) => request.tokens?.out ?? 0),
    isEstimated: requests.some((request) => request.tokens?.isEstimated === true),
  };
  const count = requests.length === 1 ? t('1 request') : t('{0} requests', requests.length);
  return [count, ...countTexts(counts), ...tokenTexts({ tokens })];
}

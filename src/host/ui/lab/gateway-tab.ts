import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import type { GatewayPage, GatewayToHost, ServedItem } from '../../../contract/lab-gateway';
import { rawText } from '../../../core/reply/deltas';
import type { ServedRequest, UpstreamReply } from '../../../gateway/served-requests';
import { recordDeltas } from '../../../models/recorded-reply';
import { translated } from '../../platform/translated';
import type { LabParts, LabTab, PagePort } from './lab-parts';

/** Shows the page the requests of gateway clients and VS Code to Parley's models. */
export function gatewayTab(
  { gateway, secrets, settings }: LabParts,
  { tell, show }: PagePort,
): LabTab<GatewayToHost> {
  const { served } = gateway;
  const store = new DisposableStore();
  const change = (): void => tell({ type: 'gateway-changed' });
  store.add(gateway.onChange(change));
  store.add(served.onChange(change));
  return {
    handlers: {
      'gateway-state': (): GatewayPage => {
        const { state } = gateway;
        const requests = served.requests.map(servedItem);
        return { ...(state && { running: { address: state.address, name: state.name } }), requests };
      },
      'parse-served': async ({ request: id, reply: at }) => {
        const request = served.requests.find((each) => each.id === id);
        const reply = request?.replies[at];
        if (!request || !reply) return false;
        await secrets.learn(settings.get('models'));
        const name = vscode.l10n.t('a reply of {0} to another program', request.model);
        const text = secrets.redact(replyText(reply));
        show({ tab: 'parse', reply: { name, reply: text, protocol: reply.protocol } });
        return true;
      },
      'forget-served': () => served.forget(),
      'start-gateway': () => gateway.start(),
      'stop-gateway': () => gateway.stop(),
      'copy-gateway': async ({ what }) => {
        const text = gateway.state?.[what];
        if (text !== undefined) await vscode.env.clipboard.writeText(text);
      },
    },
    dispose: () => store.dispose(),
  };
}

function servedItem({ usage, problems, replies, leftOut: _, ...request }: ServedRequest): ServedItem {
  return {
    ...request,
    problems: problems.map(translated),
    protocols: replies.map(({ protocol }) => protocol),
    ...(usage && {
      tokens: { in: usage.inputTokens, out: usage.outputTokens, isEstimated: usage.isEstimated },
    }),
  };
}

/** Its text, or for the native protocol the lines of an equivalent stream. */
export function replyText({ protocol, deltas }: UpstreamReply): string {
  return protocol === 'native' ? recordDeltas(deltas) : deltas.map(rawText).join('');
}

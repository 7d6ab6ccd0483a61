import type { ConnectionReport } from '../../../../models/connection-test';
import { protocolFor } from '../../../../agent/protocol-for';
import { stepForm } from '../../../../models/form/step-form';
import type { ModelProfile } from '../../../../models/profiles';
import { suitedFor } from '../../../../protocols/choose';
import type { Chosen } from './draft';

/** Why *Auto* picks a protocol. */
export type AutoReason =
  /** The server says that native tools do not reach the model. */
  | 'dropped'
  /** A small model works in steps of one call. */
  | 'small'
  /** By the name of the model. */
  | 'trained'
  /** In the test it has called a native tool. */
  | 'called'
  /** The server says that the model has tools. */
  | 'reported'
  | 'usual';

/** Protocols offered before all others. */
export interface ProtocolAdvice {
  /** The protocol that *Auto* would pick, and why. */
  readonly auto: string;
  readonly why: AutoReason;
  /** Better than *Auto*: the endpoint refused native tools, which only the test shows. */
  readonly instead?: string;
}

export function adviseProtocol(
  {
    model,
    facts,
    provider = 'openai',
    baseUrl,
  }: Pick<Chosen, 'model' | 'facts' | 'baseUrl'> & Partial<Pick<Chosen, 'provider'>>,
  report: ConnectionReport | undefined,
): ProtocolAdvice {
  const profile: ModelProfile = { id: '', provider, baseUrl, model, facts };
  const auto = protocolFor('auto', profile).id;
  const suited = suitedFor(model);
  const tools = report?.type === 'works' ? report.tools : undefined;
  const isNative = auto === 'native';
  return {
    auto,
    why: isNative
      ? tools === 'called'
        ? 'called'
        : facts?.tools === true
          ? 'reported'
          : 'usual'
      : stepForm(profile)
        ? 'small'
        : suited.protocol === auto
          ? 'trained'
          : 'dropped',
    ...(isNative && tools === 'refused' && { instead: suited.fallback }),
  };
}

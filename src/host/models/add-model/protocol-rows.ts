import type { ConnectionReport } from '../../../models/connection-test';
import { chooseProtocol, suitedFor } from '../../../protocols/choose';
import type { Chosen } from './draft';

/** Why *Auto* picks a protocol. */
export type AutoReason =
  /** The server says that native tools do not reach the model. */
  | 'dropped'
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
  { model, facts }: Pick<Chosen, 'model' | 'facts'>,
  report: ConnectionReport | undefined,
): ProtocolAdvice {
  const auto = chooseProtocol('auto', { model, ...(facts && { facts }) }).id;
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
      : suited.protocol === auto
        ? 'trained'
        : 'dropped',
    ...(isNative && tools === 'refused' && { instead: suited.fallback }),
  };
}

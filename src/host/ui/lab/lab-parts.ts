import { LabToHost, type HostToLab, type LabAnswers } from '../../../contract/lab';
import type { Services } from '../../services/services';
import type { Platform } from '../../platform/platform';

export type LabParts = Platform & Services;

/** Message handlers of one tab. */
export interface LabTab<Message extends LabToHost> {
  /** By message type. A request is answered with the return value of its handler. */
  readonly handlers: Handlers<Message>;
  readonly dispose?: () => void;
}

export type Handlers<Message extends LabToHost> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => Returned<Type>;
};

/** Sends something to the page. `false` if there is none: the next one asks for its state. */
export type Tell = (message: HostToLab) => boolean;

type Returned<Type> = Type extends keyof LabAnswers
  ? LabAnswers[Type] | Promise<LabAnswers[Type]>
  : void | Promise<void>;

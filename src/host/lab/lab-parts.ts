import { LabToHost, type HostToLab, type LabAnswers } from '../../contract/lab';
import type { Conversation } from '../chat/conversation';
import type { Gateway } from '../gateway/gateway';
import type { KeptCounts } from '../models/kept-counts';
import type { KnownServers } from '../models/known-servers';
import type { OfferParts } from '../tools/offer-parts';
import type { WindowParts } from '../window/window-parts';

export interface LabParts extends WindowParts, OfferParts {
  readonly conversation: Conversation;
  readonly gateway: Gateway;
  readonly servers: KnownServers;
  readonly counts: KeptCounts;
}

/** What one tab does for its page. */
export interface LabTab<Message extends LabToHost> {
  /** By the type of the message. What a request is answered with is what its handler returns. */
  readonly handlers: Handlers<Message>;
  readonly dispose?: () => void;
}

export type Handlers<Message extends LabToHost> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { type: Type }>) => Returned<Type>;
};

/** Sends something to the page. `false` where none is there: the next one asks for what it shows. */
export type Tell = (message: HostToLab) => boolean;

type Returned<Type> = Type extends keyof LabAnswers
  ? LabAnswers[Type] | Promise<LabAnswers[Type]>
  : void | Promise<void>;

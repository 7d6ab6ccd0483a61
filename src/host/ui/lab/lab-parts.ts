import { Emitter } from '../../../base/disposable';
import { LabToHost, type HostToLab, type LabAnswers, type LabTarget } from '../../../contract/lab';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';

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

/** What a tab can do with its page. */
export interface PagePort {
  /** Sends something. A page that is hidden requests its state again when it is shown. */
  readonly tell: (message: HostToLab) => void;
  readonly show: (target: LabTarget) => void;
}

/** What the lab should show next, until a page takes it. */
export class NextTarget {
  private readonly changes = new Emitter<undefined>();
  private target: LabTarget | undefined;

  readonly onChange = this.changes.event;

  set(target: LabTarget): void {
    this.target = target;
    this.changes.fire(undefined);
  }

  take(): LabTarget | undefined {
    const { target } = this;
    this.target = undefined;
    return target;
  }
}

type Returned<Type> = Type extends keyof LabAnswers
  ? LabAnswers[Type] | Promise<LabAnswers[Type]>
  : void | Promise<void>;

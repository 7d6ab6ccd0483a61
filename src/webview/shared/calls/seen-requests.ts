import { signal } from '@preact/signals';
import type { ApprovalRequest } from '../../../core/words/approval';

/** The requests that were in view as far as they must be before they can run. */
export class SeenRequests {
  private readonly requests = new WeakSet<ApprovalRequest>();
  private readonly count = signal(0);

  constructor(private readonly onSeen: (request: ApprovalRequest) => void = () => undefined) {}

  /** A component that asks is drawn again when another request was seen. */
  has(request: ApprovalRequest): boolean {
    return this.count.value >= 0 && this.requests.has(request);
  }

  add(request: ApprovalRequest): void {
    if (this.requests.has(request)) return;
    this.requests.add(request);
    this.count.value += 1;
    this.onSeen(request);
  }
}

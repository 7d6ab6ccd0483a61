import type { Browser } from 'playwright-core';
import type { HostToLab, LabAnswers, LabTarget, LabToHost } from '../../../src/contract/lab';
import { openPage, PageHarness, type HarnessOptions } from './page-harness';

/** The lab page in a browser. */
export class LabHarness extends PageHarness<LabToHost, HostToLab> {
  /** Opens the page in a new window. */
  static async open(browser: Browser, options: HarnessOptions = {}): Promise<LabHarness> {
    const harness = new LabHarness(await openPage(browser, 'lab', { width: 800, ...options }), 'list-tools');
    await harness.load();
    return harness;
  }

  /** Waits for a request of this type, and answers the last one. */
  async answer<Type extends keyof LabAnswers>(type: Type, value: LabAnswers[Type]): Promise<void> {
    await this.send({ type: 'answer', id: await this.idOf(type), answer: { ok: true, value } });
  }

  /** Reports that the last request of this type has failed. */
  async fail(type: keyof LabAnswers, problem: string): Promise<void> {
    await this.send({ type: 'answer', id: await this.idOf(type), answer: { ok: false, problem } });
  }

  /** Shows this, like another part of the window. */
  async showTarget(target: LabTarget): Promise<void> {
    await this.send({ type: 'target-changed' });
    await this.answer('take-target', target);
  }

  private async idOf(type: keyof LabAnswers): Promise<number> {
    // SAFETY: requests that get an answer carry an id.
    return ((await this.received(type)) as { readonly id: number }).id;
  }
}

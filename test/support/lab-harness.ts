import type { Browser } from 'playwright-core';
import type { HostToLab, LabAnswers, LabToHost } from '../../src/contract/lab';
import { openPage, PageHarness, type HarnessOptions } from './page-harness';

/** The lab page in a browser. */
export class LabHarness extends PageHarness<LabToHost, HostToLab> {
  /** Opens the page in a window of its own. */
  static async open(browser: Browser, options: HarnessOptions = {}): Promise<LabHarness> {
    const harness = new LabHarness(await openPage(browser, 'lab', { width: 800, ...options }), 'list-tools');
    await harness.load();
    return harness;
  }

  /** Answers the last request of this type, once there is one. */
  async answer<Type extends keyof LabAnswers>(type: Type, value: LabAnswers[Type]): Promise<void> {
    await this.send({ type: 'answer', id: await this.idOf(type), answer: { ok: true, value } });
  }

  /** Says that the last request of this type has failed. */
  async fail(type: keyof LabAnswers, problem: string): Promise<void> {
    await this.send({ type: 'answer', id: await this.idOf(type), answer: { ok: false, problem } });
  }

  private async idOf(type: keyof LabAnswers): Promise<number> {
    // SAFETY: what is answered carries an id.
    return ((await this.received(type)) as { readonly id: number }).id;
  }
}

import * as vscode from 'vscode';
import type { CaseItem, OpenedReply, PageProblem } from '../../../contract/lab-parse';
import type { ToolSpec } from '../../../core/words/tool';
import type { CaseReading } from './parse-job';
import { caseReading, readShippedCases, shippedSpec, type ShippedCases } from './reply-cases';

/** The cases shipped with Parley, loaded on first use. */
export class CaseLibrary {
  private loading: Promise<ShippedCases> | undefined;

  constructor(private readonly extensionUri: vscode.Uri) {}

  async list(): Promise<readonly CaseItem[]> {
    const { cases } = await this.load();
    return cases.map(({ protocol, name }, number) => ({ number, protocol, name }));
  }

  async open(number: number): Promise<OpenedReply | PageProblem> {
    const found = (await this.load()).cases[number];
    if (!found) return { problem: vscode.l10n.t('This case does not exist. Open the list again.') };
    const { name, protocol, reply, tools, strictness, recover, expect } = found;
    return { name, protocol, reply, case: { tools, strictness, recover, expect } };
  }

  async readings(numbers: readonly number[]): Promise<readonly CaseReading[]> {
    const { cases, tools: known } = await this.load();
    return numbers.flatMap((number) => {
      const found = cases[number];
      return found ? [caseReading(number, found, known)] : [];
    });
  }

  /** Tools of cases by name; others are looked up among the window's tools. */
  async toolsNamed(
    names: readonly string[],
    others: readonly ToolSpec[],
  ): Promise<readonly ToolSpec[] | PageProblem> {
    const { tools } = await this.load();
    const found: ToolSpec[] = [];
    for (const name of names) {
      const spec = shippedSpec(name, tools) ?? others.find((each) => each.name === name);
      if (!spec) {
        const text = 'The case uses the tool "{0}", which is not enabled in this window. Select other tools.';
        return { problem: vscode.l10n.t(text, name) };
      }
      found.push(spec);
    }
    return found;
  }

  private load(): Promise<ShippedCases> {
    this.loading ??= readShippedCases(
      vscode.Uri.joinPath(this.extensionUri, 'dist', 'reply-cases.json').fsPath,
    );
    return this.loading;
  }
}

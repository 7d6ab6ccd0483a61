import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import type { PageProblem } from '../../../contract/lab-parse';
import type { ParseJob, ParseJobAnswer } from './parse-job';
import { parseInThread } from './parse-thread';

/** The result of the job, or why there is none; `undefined` if it is no longer needed. */
export async function inParseThread(
  job: ParseJob,
  signal: AbortSignal,
): Promise<ParseJobAnswer | PageProblem | undefined> {
  try {
    const end = await parseInThread(job, signal);
    switch (end.type) {
      case 'answer':
        return end.answer;
      case 'timeout': {
        const text = 'Parsing took longer than {0} seconds. Try a shorter reply, or larger chunks.';
        return { problem: vscode.l10n.t(text, limits.labParseMs / 1000) };
      }
      case 'died': {
        const text = 'Parsing failed: {0} Try a shorter reply, or larger chunks.';
        return { problem: vscode.l10n.t(text, end.error.message) };
      }
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

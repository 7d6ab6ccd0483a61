import * as vscode from 'vscode';
import { redactData } from '../../../base/redact';
import type {
  OpenedReply,
  ParseAnswers,
  ParseToHost,
  PageProblem,
  ReplyAnswer,
} from '../../../contract/lab-parse';
import type { Turn } from '../../../core/words/messages';
import type { ToolSpec } from '../../../core/words/tool';
import { promptForm } from '../../../models/profiles';
import { detectProtocol } from '../../../protocols/choose';
import { protocolNames } from '../../../protocols/names';
import { toolCallConfig } from '../../services/choices/run-setup';
import { translated } from '../../platform/translated';
import { openReplyFile, saveCaseFile } from './case-files';
import { CaseLibrary } from './case-library';
import { inParseThread } from './in-parse-thread';
import type { LabParts, LabTab } from './lab-parts';
import type { ParseJob, ParseInput } from './parse-job';
import { recordedReplies, repliedTurns } from './recorded-replies';

type Asked<Type extends ParseToHost['type']> = Extract<ParseToHost, { type: Type }>;
type AskedReading = Omit<Asked<'parse-reply'>, 'type' | 'id' | 'source'>;

/** Parses replies for the page, in a thread, because a reply may have megabytes. */
export function parseTab(parts: LabParts): LabTab<ParseToHost> {
  const tab = new ParseTab(parts);
  return {
    handlers: {
      'parse-settings': () => tab.settings(),
      'parse-reply': (message) => tab.parse(message),
      'open-reply': () => tab.openReply(),
      'pick-reply': () => tab.pickReply(),
      'list-cases': () => tab.cases.list(),
      'run-cases': (message) => tab.runCases(message),
      'open-case': (message) => tab.cases.open(message.case),
      'save-case': (message) => tab.save(message),
    },
    dispose: () => tab.dispose(),
  };
}

class ParseTab {
  readonly cases: CaseLibrary;
  /** Stops running jobs when the page is gone. */
  private readonly end = new AbortController();
  private parsing: AbortController | undefined;

  constructor(private readonly parts: LabParts) {
    this.cases = new CaseLibrary(parts.context.extensionUri);
  }

  settings(): ParseAnswers['parse-settings'] {
    const { strictness, recovery } = toolCallConfig(this.parts.settings, this.parts.choices);
    return {
      protocols: protocolNames.map(({ id, label }) => ({ id, label: translated(label) })),
      strictness,
      recovery,
    };
  }

  async parse(message: Asked<'parse-reply'>): Promise<ParseAnswers['parse-reply']> {
    this.parsing?.abort();
    const own = (this.parsing = new AbortController());
    const signal = AbortSignal.any([own.signal, this.end.signal]);
    await this.learnKeys();
    const reading = await this.reading(message);
    if ('problem' in reading) return reading;
    if (signal.aborted) return { type: 'superseded' };
    const answer = await inParseThread(this.jobFor(message, reading), signal);
    if (answer === undefined) return { type: 'superseded' };
    // SAFETY: the job is one of the two with these results.
    return answer as ReplyAnswer;
  }

  async openReply(): Promise<OpenedReply | undefined | PageProblem> {
    await this.learnKeys();
    const opened = await openReplyFile();
    return opened && 'reply' in opened
      ? { ...opened, reply: this.parts.secrets.redact(opened.reply) }
      : opened;
  }

  async pickReply(): Promise<OpenedReply | undefined | PageProblem> {
    const replies = recordedReplies(this.parts.conversation.session.transcript);
    if (replies.length === 0) {
      return {
        problem: vscode.l10n.t('The conversation has no replies yet. Send a message in the chat first.'),
      };
    }
    const items = replies.toReversed().map((reply) => ({
      label: firstLine(reply.reply),
      description: reply.protocol,
      detail: reply.calls.length === 0 ? vscode.l10n.t('No calls') : reply.calls.join(', '),
      reply,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Open Reply from Conversation'),
      matchOnDetail: true,
    });
    if (!picked) return undefined;
    await this.learnKeys();
    const { entry, protocol, reply } = picked.reply;
    const name = vscode.l10n.t('a reply from the conversation');
    return { name, reply: this.parts.secrets.redact(reply), protocol, source: entry };
  }

  async runCases({ cases }: Asked<'run-cases'>): Promise<ParseAnswers['run-cases']> {
    const readings = await this.cases.readings(cases);
    const answer = await inParseThread({ type: 'cases', cases: readings }, this.end.signal);
    // SAFETY: such a job has this result. A page that is gone does not see the empty list.
    return (answer ?? []) as ParseAnswers['run-cases'];
  }

  async save(message: Asked<'save-case'>): Promise<ParseAnswers['save-case']> {
    const isChosen = !['auto', 'all'].includes(message.protocol);
    const protocol = isChosen ? message.protocol : detectProtocol(message.reply);
    // Keys are removed from files, including keys not used yet in this window.
    await this.learnKeys();
    const safe = this.parts.secrets.redact(message.reply);
    const reading = await this.reading({ ...message, reply: safe, protocol });
    if ('problem' in reading) return reading;
    const job: ParseJob = { type: 'cases', cases: [{ number: 0, reading, expect: '' }] };
    const outcomes = await inParseThread(job, this.end.signal);
    if (!Array.isArray(outcomes)) return outcomes && 'problem' in outcomes ? outcomes : undefined;
    // SAFETY: such a job has this result.
    const [outcome] = outcomes as readonly { readonly actual: string }[];
    const { reply, strictness, recover, tools } = reading;
    return saveCaseFile({
      protocol,
      reply,
      tools: tools.length === 0 ? 'none' : tools.map(({ name }) => name),
      strictness,
      recover,
      expect: outcome?.actual ?? '',
    });
  }

  dispose(): void {
    this.end.abort();
  }

  private async learnKeys(): Promise<void> {
    await this.parts.secrets.learn(this.parts.settings.get('models'));
  }

  private jobFor({ protocol, source }: Asked<'parse-reply'>, reading: ParseInput): ParseJob {
    if (protocol === 'all') return { type: 'comparison', reading };
    const { choices } = this.parts;
    const turns = source === undefined ? undefined : this.recordedTurns(source, reading.reply);
    return {
      type: 'reply',
      reading,
      promptForm: choices.profile ? promptForm(choices.profile) : 'full',
      ...(turns && { turns }),
    };
  }

  /** That reply of the conversation and its results, unless another conversation has started since it was opened. */
  private recordedTurns(entry: number, reply: string): readonly Turn[] | undefined {
    const { conversation, secrets } = this.parts;
    const { transcript } = conversation.session;
    const redact = (text: string): string => secrets.redact(text);
    const recorded = recordedReplies(transcript).find((each) => each.entry === entry);
    if (!recorded || redact(recorded.reply) !== reply) return undefined;
    // SAFETY: only texts change, and each stays a text.
    return redactData(repliedTurns(transcript, entry), redact) as readonly Turn[] | undefined;
  }

  private async reading(asked: AskedReading): Promise<ParseInput | PageProblem> {
    const { reply, protocol, chunk, strictness, recovery } = asked;
    const known = ['auto', 'all', ...protocolNames.map(({ id }) => id)];
    if (!known.includes(protocol)) {
      return { problem: vscode.l10n.t('There is no protocol "{0}". Select one from the list.', protocol) };
    }
    const tools = await this.toolsOf(asked.tools);
    return 'problem' in tools
      ? tools
      : { reply, protocol, chunk, tools, strictness, recover: recovery !== 'text' };
  }

  private async toolsOf(asked: AskedReading['tools']): Promise<readonly ToolSpec[] | PageProblem> {
    if (asked === 'none') return [];
    const { tools, settings, choices } = this.parts;
    const registry = await tools.get();
    const config = toolCallConfig(settings, choices);
    const offered = config.enabled ? registry.offered(config).map(({ spec }) => spec) : [];
    return asked === 'enabled' ? offered : this.cases.toolsNamed(asked, offered);
  }
}

const LONGEST_LABEL = 80;

function firstLine(reply: string): string {
  const line = reply.slice(0, 1_000).trim().split('\n', 1)[0] ?? '';
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL)}…` : line;
}

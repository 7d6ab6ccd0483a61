import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  OpenedReply,
  ParseSettings,
  ProtocolComparison,
  ReplyAnswer,
  ParseToHost,
} from '../../contract/lab-parse';
import type { LabAnswers } from '../../contract/lab';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { useLab } from './lab-state';

/** A reply that is looked into. */
export type LabReply = {
  readonly text: string;
  /** What it was filled with, while it is unchanged since. */
  readonly opened?: Omit<OpenedReply, 'reply'>;
};

/** How it is read, as it is chosen in the page. */
export type ParseChoices = {
  /** An id, `auto` or `all`. */
  readonly protocol: string;
  /** Characters that arrive at once; 0 for all. */
  readonly chunk: number;
  readonly tools: 'enabled' | 'none' | 'case';
  /** As in the settings if `null`. */
  readonly strictness: ParseSettings['strictness'] | null;
  readonly recovery: ParseSettings['recovery'] | null;
};

/** What came out of a reply, with the reply that it came out of. */
interface ParseOutcome {
  readonly reply: LabReply;
  readonly answer: ReplyAnswer | ProtocolComparison;
}

export interface Parse {
  readonly settings: ParseSettings | undefined;
  readonly reply: LabReply;
  readonly choices: ParseChoices;
  /** That of the last reply until there is one of this. */
  readonly outcome: ParseOutcome | undefined;
  readonly isBusy: boolean;
  /** One sentence: what did not work, or what was done. */
  readonly message: string | undefined;
  readonly edit: (text: string) => void;
  /** Begins anew, with a reply of any kind. */
  readonly clear: () => void;
  readonly choose: (choices: Partial<ParseChoices>) => void;
  readonly open: (opened: OpenedReply) => void;
  readonly openFrom: (from: 'open-reply' | 'pick-reply') => Promise<void>;
  readonly save: () => Promise<void>;
}

const EMPTY: LabReply = { text: '' };

const KEPT = 'parse-reply';

const DEFAULTS: ParseChoices = {
  ...{ protocol: 'auto', chunk: 0, tools: 'enabled' },
  ...{ strictness: null, recovery: null },
};

/** A pause in typing that is long enough to look at what stands there. */
const PAUSE_MS = 200;

/** Longer replies do not survive hiding the page: VS Code writes what a page keeps into one file with everything else. */
const LONGEST_KEPT = 100_000;

export function useParse(): Parse {
  const lab = useLab();
  // SAFETY: this is what stands under that name, see below.
  const [reply, setReply] = useState(() => (lab.get(KEPT) as LabReply | undefined) ?? EMPTY);
  const [choices, setChoices] = useKept<ParseChoices>('parse-choices', DEFAULTS);
  const [settings, setSettings] = useState<ParseSettings>();
  const [outcome, setOutcome] = useState<ParseOutcome>();
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState<string>();
  const latest = useRef(0);

  useEffect(() => {
    void lab.request<'parse-settings'>({ type: 'parse-settings' }).then((answer) => {
      if (answer.ok) setSettings(answer.value);
      else {
        setMessage(answer.problem);
        setBusy(false);
      }
    });
  }, [lab]);

  const reading = (): Reading | undefined => settings && readingOf(reply, choices, settings);

  const ask = async (number: number): Promise<void> => {
    const asked = reading();
    if (!asked) return;
    const answer = await lab.request<'parse-reply'>({ type: 'parse-reply', ...asked });
    if (number !== latest.current) return;
    setBusy(false);
    const value = valueOf(answer);
    if ('problem' in value) {
      setMessage(value.problem);
      // What is shown must be of this reply.
      setOutcome(undefined);
    } else if (value.type !== 'superseded') {
      setMessage(undefined);
      setOutcome({ reply, answer: value });
    }
  };
  useEffect(() => {
    const number = ++latest.current;
    if (reply.text === '') {
      setOutcome(undefined);
      setBusy(false);
      return undefined;
    }
    setBusy(true);
    const timer = setTimeout(() => {
      lab.set(KEPT, reply.text.length > LONGEST_KEPT ? EMPTY : reply);
      void ask(number);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [reply, choices, settings]);

  const choose = (chosen: Partial<ParseChoices>): void => setChoices({ ...choices, ...chosen });
  const open = ({ reply: text, ...opened }: OpenedReply): void => {
    setReply({ text, opened });
    setMessage(undefined);
    const { case: asCase, protocol } = opened;
    // How a case is read counts for the case alone.
    if (!asCase && reply.opened?.case)
      return choose({ protocol, tools: 'enabled', strictness: null, recovery: null });
    if (!asCase) return choose({ protocol });
    const { strictness, recover, tools } = asCase;
    const recovery = recover ? 'ask' : 'text';
    choose({ protocol, strictness, recovery, tools: tools === 'none' ? 'none' : 'case' });
  };
  const handed = useRef(open);
  handed.current = open;
  useEffect(() => {
    const take = async (): Promise<void> => {
      const answer = await lab.request<'take-reply'>({ type: 'take-reply' });
      if (!answer.ok || !answer.value) return;
      lab.show('parse');
      handed.current(answer.value);
    };
    void take();
    const listening = lab.onNews(({ type }) => {
      if (type === 'reply-handed') void take();
    });
    return () => listening.dispose();
  }, [lab]);
  const openFrom = async (type: 'open-reply' | 'pick-reply'): Promise<void> => {
    const value = valueOf(await lab.request<typeof type>({ type }));
    if (value === undefined) return;
    if ('problem' in value) setMessage(value.problem);
    else open(value);
  };
  const save = async (): Promise<void> => {
    const asked = reading();
    if (!asked) return;
    const value = valueOf(await lab.request<'save-case'>({ type: 'save-case', ...asked }));
    if (value) setMessage('problem' in value ? value.problem : t('Saved as {0}.', value.saved));
  };
  const edit = (text: string): void => {
    if (text === '') lab.set(KEPT, EMPTY);
    setReply({ text });
    setMessage(undefined);
    if (choices.tools === 'case') choose({ tools: 'enabled' });
  };
  const clear = (): void => {
    edit('');
    setChoices(DEFAULTS);
  };
  return { settings, reply, choices, outcome, isBusy, message, edit, clear, choose, open, openFrom, save };
}

type Reading = Omit<Extract<ParseToHost, { type: 'parse-reply' }>, 'type' | 'id'>;

function readingOf({ text, opened }: LabReply, choices: ParseChoices, settings: ParseSettings): Reading {
  const { protocol, chunk, tools, strictness, recovery } = choices;
  const named = opened?.case?.tools ?? 'none';
  return {
    reply: text,
    protocol,
    chunk,
    tools: tools === 'case' ? (named === 'none' ? 'none' : [...named]) : tools,
    strictness: strictness ?? settings.strictness,
    recovery: recovery ?? settings.recovery,
    ...(opened?.source !== undefined && { source: opened.source }),
  };
}

type Answer = LabAnswers[keyof LabAnswers];

/** A request that has failed and one that could not be met look the same to people. */
function valueOf<Value extends Answer>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string },
): Value | { readonly problem: string } {
  return answer.ok ? answer.value : answer;
}

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
import { PAUSE_MS, useLab } from './lab-state';

/** The reply to parse. */
export type LabReply = {
  readonly text: string;
  /** Where it came from, while it is unchanged. */
  readonly opened?: Omit<OpenedReply, 'reply'>;
};

/** Parse options chosen in the page. */
export type ParseChoices = {
  /** An id, `auto` or `all`. */
  readonly protocol: string;
  /** Characters per chunk; 0 for all at once. */
  readonly chunk: number;
  readonly tools: 'enabled' | 'none' | 'case';
  /** `null` for the value in the settings. */
  readonly strictness: ParseSettings['strictness'] | null;
  readonly recovery: ParseSettings['recovery'] | null;
};

/** A parse result with the reply it belongs to. */
interface ParseOutcome {
  readonly reply: LabReply;
  readonly answer: ReplyAnswer | ProtocolComparison;
}

export interface Parse {
  readonly settings: ParseSettings | undefined;
  readonly reply: LabReply;
  readonly choices: ParseChoices;
  /** Result of the previous reply until there is a new one. */
  readonly outcome: ParseOutcome | undefined;
  readonly isBusy: boolean;
  /** A sentence about an error or a finished action. */
  readonly message: string | undefined;
  readonly edit: (text: string) => void;
  /** Starts over with a new reply. */
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

/** Longer replies do not survive hiding the page, because VS Code writes all page state into one file. */
const LONGEST_KEPT = 100_000;

export function useParse(): Parse {
  const lab = useLab();
  // SAFETY: this value is saved under that name, see below.
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
      // The result must belong to this reply.
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
    // The parse options of a case apply only to that case.
    if (!asCase && reply.opened?.case)
      return choose({ protocol, tools: 'enabled', strictness: null, recovery: null });
    if (!asCase) return choose({ protocol });
    const { strictness, recover, tools } = asCase;
    const recovery = recover ? 'ask' : 'text';
    choose({ protocol, strictness, recovery, tools: tools === 'none' ? 'none' : 'case' });
  };
  const opened = lab.opened.value;
  useEffect(() => {
    if (opened) open(opened);
  }, [opened]);
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

/** A failed request and a refused one look the same to users. */
function valueOf<Value extends Answer>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string },
): Value | { readonly problem: string } {
  return answer.ok ? answer.value : answer;
}

import type { JSX } from 'preact';
import type { ApprovalRequest } from '../../../core/approval';
import type { ToolCall } from '../../../core/messages';
import { ArgumentsView } from './arguments-view';
import { CommandPreview } from './command-preview';
import { DiffPreview } from './diff-preview';

interface Props {
  readonly call: ToolCall;
  readonly request: ApprovalRequest | undefined;
  /** The host still holds the change. */
  readonly canOpenDiff?: boolean;
}

/** What the call would do: the change, the command, or else its arguments. */
export function Proposal({ call, request, canOpenDiff = false }: Props): JSX.Element | null {
  const preview = request?.preview;
  switch (preview?.type) {
    case 'diff':
      return (
        <DiffPreview
          callId={canOpenDiff ? call.id : undefined}
          before={preview.before}
          after={preview.after}
          runsCode={preview.runsCode === true}
        />
      );
    case 'command':
      return <CommandPreview preview={preview} />;
    case undefined:
      return <ArgumentsView values={request?.edited ?? call.arguments} />;
  }
}

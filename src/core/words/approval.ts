import type { JsonObject } from '../../base/json';
import type { ToolCall } from './messages';
import type { JsonSchema } from './schema';
import type { Access, Effect, Preview } from './tool';

/** A prepared call as the policy and the user see it. The host keeps it and runs exactly this. */
export interface ApprovalRequest {
  readonly call: ToolCall;
  readonly effect: Effect;
  readonly title: string;
  readonly accesses: readonly Access[];
  readonly preview?: Preview;
  /** The tool's schema, for editing the arguments. */
  readonly parameters?: JsonSchema;
  /** The arguments as the user changed them; absent if unchanged. */
  readonly edited?: JsonObject;
  /** Why the user's last change of the arguments was invalid: the request is unchanged. */
  readonly problem?: string;
}

export type Decision =
  | { readonly type: 'run'; readonly by: 'policy' | 'user'; readonly reason: string }
  | { readonly type: 'reject'; readonly by: 'policy' | 'user'; readonly reason: string };

/** The user changed the arguments: the effect of the call has to be shown and decided again. */
export interface ArgumentEdit {
  readonly type: 'edit';
  readonly arguments: JsonObject;
}

/** An approval request and its decision. */
export interface Approval {
  readonly request: ApprovalRequest;
  readonly decision: Decision;
}

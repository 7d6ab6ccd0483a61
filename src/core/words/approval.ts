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
  /** The tool's schema, for whoever changes the arguments. */
  readonly parameters?: JsonSchema;
  /** The arguments as the user changed them; without it they are the call's own. */
  readonly edited?: JsonObject;
  /** Why the user's last change of the arguments could not be taken: what is asked is what was asked before it. */
  readonly problem?: string;
}

export type Decision =
  | { readonly type: 'run'; readonly by: 'policy' | 'user'; readonly reason: string }
  | { readonly type: 'reject'; readonly by: 'policy' | 'user'; readonly reason: string };

/** The user has changed the arguments: what the call would do now has to be shown and decided anew. */
export interface ArgumentEdit {
  readonly type: 'edit';
  readonly arguments: JsonObject;
}

/** What was asked about a call, and what was decided. */
export interface Approval {
  readonly request: ApprovalRequest;
  readonly decision: Decision;
}

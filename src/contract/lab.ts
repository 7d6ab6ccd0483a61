import * as z from 'zod/mini';
import { requestId } from './calls';
import { DoctorToHost, type DoctorAnswers, type HostToDoctor } from './lab-doctor';
import { GatewayToHost, type GatewayAnswers, type HostToGateway } from './lab-gateway';
import { ParseToHost, type OpenedReply, type ParseAnswers } from './lab-parse';
import { RequestsToHost, type HostToRequests, type RequestsAnswers } from './lab-requests';
import { RunToHost, type HostToRun, type RunAnswers } from './lab-run';
import { ToolsToHost, type HostToTools, type ToolsAnswers } from './lab-tools';

/** What another part of the window wants to show: a tab, and its content. */
export type LabTarget =
  | { readonly tab: 'requests' | 'doctor' }
  /** A wire name. */
  | { readonly tab: 'run'; readonly tool: string }
  | { readonly tab: 'parse'; readonly reply: OpenedReply };

/** Page → host, one part per tab. A message with an id is a request. */
export const LabToHost = z.discriminatedUnion('type', [
  /** Requests what to show, if anything: when the page is loaded, and after `target-changed`. */
  z.strictObject({ type: z.literal('take-target'), id: requestId }),
  RequestsToHost,
  ToolsToHost,
  RunToHost,
  ParseToHost,
  DoctorToHost,
  GatewayToHost,
]);
export type LabToHost = z.infer<typeof LabToHost>;

/** Answers to requests, by their type. */
export interface LabAnswers
  extends RequestsAnswers, ToolsAnswers, RunAnswers, ParseAnswers, DoctorAnswers, GatewayAnswers {
  readonly 'take-target': LabTarget | undefined;
}

/** Host → page. */
export type HostToLab =
  | { readonly type: 'answer'; readonly id: number; readonly answer: LabAnswer<unknown> }
  | { readonly type: 'target-changed' }
  | HostToRequests
  | HostToTools
  | HostToDoctor
  | HostToGateway
  | HostToRun;

/** The problem is one sentence for the user. */
export type LabAnswer<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

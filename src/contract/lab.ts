import * as z from 'zod/mini';
import { DoctorToHost, type DoctorAnswers, type HostToDoctor } from './lab-doctor';
import { GatewayToHost, type GatewayAnswers, type HostToGateway } from './lab-gateway';
import { ParseToHost, type HostToParse, type ParseAnswers } from './lab-parse';
import { RunToHost, type HostToRun, type RunAnswers } from './lab-run';
import { ToolsToHost, type HostToTools, type ToolsAnswers } from './lab-tools';

/** Page → host, one part per tab. A message with an id is a request. */
export const LabToHost = z.discriminatedUnion('type', [
  ToolsToHost,
  RunToHost,
  ParseToHost,
  DoctorToHost,
  GatewayToHost,
]);
export type LabToHost = z.infer<typeof LabToHost>;

/** Answers to requests, by their type. */
export interface LabAnswers extends ToolsAnswers, RunAnswers, ParseAnswers, DoctorAnswers, GatewayAnswers {}

/** Host → page. */
export type HostToLab =
  | { readonly type: 'answer'; readonly id: number; readonly answer: LabAnswer<unknown> }
  | HostToTools
  | HostToParse
  | HostToDoctor
  | HostToGateway
  | HostToRun;

/** The problem is one sentence for the user. */
export type LabAnswer<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

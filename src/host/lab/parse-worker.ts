import { parentPort, workerData } from 'node:worker_threads';
import { doParseJob, type ParseJob } from './parse-job';

/** Runs in a thread of its own: a reply of megabytes takes seconds, and the extension host has to go on. */
// SAFETY: `parse-thread.ts` starts this module with nothing else.
void doParseJob(workerData as ParseJob).then((answer) => parentPort?.postMessage(answer));

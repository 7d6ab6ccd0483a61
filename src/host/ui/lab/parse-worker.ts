import { parentPort, workerData } from 'node:worker_threads';
import { doParseJob, type ParseJob } from './parse-job';

/** Runs in a separate thread: parsing megabytes takes seconds, and the extension host must stay responsive. */
// SAFETY: only `parse-thread.ts` starts this module, with this data.
void doParseJob(workerData as ParseJob).then((answer) => parentPort?.postMessage(answer));

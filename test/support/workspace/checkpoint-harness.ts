import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import { changesSince } from '../../../src/core/transcript/file-changes';
import { foldTranscript } from '../../../src/core/transcript/fold-transcript';
import { emptyTranscript, type Transcript } from '../../../src/core/transcript/transcript';
import type { AgentEvent } from '../../../src/core/words/events';
import { ToolError } from '../../../src/core/words/tool';
import { imageName } from '../../../src/node/surroundings';
import { ImageStore } from '../../../src/sessions/image-store';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import {
  startedChange,
  planRestore,
  restoreFile,
  type PlannedFile,
  type Shelf,
  type Unrestorable,
} from '../../../src/tools/files/restore-file';
import { roundStart, toolCall } from '../agent/chat-events';
import { runContext } from '../agent/run-context';
import { ScratchWorkspace } from './scratch-workspace';

export interface RestoreResult {
  /** Files to restore. */
  readonly planned: readonly PlannedFile[];
  readonly left: readonly Unrestorable[];
}

/** A conversation over real files: messages, calls of the real tools, and restores, without a model or a window. */
export class CheckpointHarness {
  transcript: Transcript = emptyTranscript;
  private calls = 0;

  private constructor(
    readonly scratch: ScratchWorkspace,
    /** The folder of the images. */
    readonly storage: string,
    readonly shelf: Shelf,
  ) {}

  static async begin(contents: Readonly<Record<string, string | Buffer>> = {}): Promise<CheckpointHarness> {
    const storage = await mkdtemp(path.join(tmpdir(), 'parley-images-'));
    const store = new ImageStore(new NodeSessionFolder(storage));
    const images = {
      nameOf: imageName,
      keep: async (bytes: Uint8Array) => {
        await store.keep('s', bytes);
        return true;
      },
      read: (image: string) => store.read(image),
    };
    const scratch = await ScratchWorkspace.create(contents, { images });
    return new CheckpointHarness(scratch, storage, { files: scratch.files, images });
  }

  record(event: AgentEvent): void {
    this.transcript = foldTranscript(this.transcript, event);
  }

  /** The index of the message. */
  message(text = 'go'): number {
    this.record({ type: 'run-start', text, time: 0 });
    this.record(roundStart);
    return this.transcript.entries.length - 2;
  }

  end(): void {
    this.record({ type: 'run-end', outcome: { type: 'done' } });
  }

  /** Returns the text of an expected failure. */
  async call(name: string, input: JsonObject): Promise<string | undefined> {
    const call = { ...toolCall(name, input), id: `c${++this.calls}` };
    this.record({ type: 'call-end', index: this.calls, call });
    this.record({ type: 'tool-start', callId: call.id, title: name });
    let failure: string | undefined;
    try {
      const prepared = await this.scratch.prepare(name, input);
      await prepared.run({
        ...runContext(),
        onFileChange: (change) => this.record({ type: 'file-change', callId: call.id, change }),
      });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      failure = error.message;
    }
    this.record({
      type: 'tool-end',
      callId: call.id,
      result: { requestId: call.id, toolName: name, status: 'success', result: '', durationMs: 0 },
    });
    return failure;
  }

  /** Restores files that are as Parley left them, and others if `isWanted` accepts them. */
  async restore(
    entry: number,
    isWanted: (file: PlannedFile) => boolean = () => false,
  ): Promise<RestoreResult> {
    const plan = await planRestore(changesSince(this.transcript, entry), this.shelf);
    const files = plan.files.filter((file) => file.doubts.length === 0 || isWanted(file));
    const left = [...plan.left];
    if (files.length > 0) {
      this.record({ type: 'restore', entry, changes: files.map((file) => startedChange(file, this.shelf)) });
      const changes = [];
      for (const file of files) {
        const { change, why } = await restoreFile(file, this.shelf);
        changes.push(change);
        if (why) left.push({ change: file.change, why });
      }
      this.record({ type: 'restore', entry, changes });
    }
    return { planned: plan.files, left };
  }

  async dispose(): Promise<void> {
    await this.scratch.dispose();
    await rm(this.storage, { recursive: true, force: true });
  }
}

import type { SecretName } from '../../policy/secrets';
import { secretNamesOf } from '../files/agent-ignore-files';
import type { ChildProcess } from 'node:child_process';
import type { Disposable } from '../../base/disposable';
import { ToolError } from '../../core/words/tool';
import type { SandboxReport } from '../../tools/ports/processes';
import { searchPath } from '../processes/environment';
import { findProgram } from '../processes/start-program';
import { TooMuchToGuard } from './guarded-tree';
import { Journal } from './journal';
import { endFirst, firstProcess, isGone, release } from './first-process';
import { KeptFiles } from './kept-files';
import { homeFolder, Layouts, realFolders, type Layout, type LayoutOptions } from './layout';
import { areMade } from './made-mounts';
import { PrivateFolder } from './private-folder';
import { probe, whyImpossible, type SandboxStatus } from './probe';
import type { SandboxSettings } from './settings';
import { SiteProxy } from './site-proxy';
import { tidyUp } from './tidy-up';
import { wrapCommand, type CommandToEnter, type WrappedCommand } from './wrap-command';

export interface SandboxOptions {
  /** The folders of the workspace, absolute. */
  readonly roots: readonly string[];
  readonly secretNames?: () => readonly SecretName[];
  readonly ownFolders?: readonly string[];
  /** Called for each command. */
  readonly settings: () => SandboxSettings;
  /** Whether to store the contents of workspace files, so that changes by commands can be restored. */
  readonly keepsFiles?: boolean;
  /** A folder that outlives this process, with what is needed to clean up if it is killed. */
  readonly stateFolder: string;
}

/** What to start instead of the command, and what to do when none of its processes runs any more. */
export interface EnteredCommand extends Omit<WrappedCommand, 'files'> {
  /** Lets the command begin if its mounts are right; otherwise ends it and throws `ToolError`. */
  started(child: ChildProcess): Promise<void>;
  /** Undoes what the command was not allowed to do. Never rejects. */
  left(): Promise<SandboxReport>;
}

/** Runs commands in a sandbox of the operating system: Bubblewrap (`bwrap`) on Linux. */
export class Sandbox implements Disposable {
  private readonly folder = new PrivateFolder();
  private readonly layouts = new Layouts(this.folder);
  private readonly sites: SiteProxy;
  private readonly kept: KeptFiles | undefined;
  private readonly journal: Journal;
  private probed: Promise<SandboxStatus> | undefined;

  constructor(private readonly options: SandboxOptions) {
    this.kept = options.keepsFiles ? new KeptFiles(this.folder) : undefined;
    this.journal = new Journal(options.stateFolder);
    this.sites = new SiteProxy(this.folder, () => this.settings.allowedDomains);
  }

  get settings(): SandboxSettings {
    return this.options.settings();
  }

  /** Returns the result of a real test, made once. */
  status(): Promise<SandboxStatus> {
    this.probed ??= this.find();
    return this.probed;
  }

  /** Tests again if the sandbox did not work: what was missing may be installed now. */
  async tryAgain(): Promise<SandboxStatus> {
    const isFirst = this.probed === undefined;
    const status = await this.status();
    if (status.works || isFirst) return status;
    this.probed = this.find();
    return this.probed;
  }

  /**
   * Prepares a command for the sandbox. Throws `ToolError` if it cannot run inside; it must not run outside instead.
   */
  async enter(command: CommandToEnter): Promise<EnteredCommand> {
    const status = await this.status();
    if (!status.works) throw new ToolError(`The sandbox does not work: ${status.reason}`);
    try {
      const layout = await this.layouts.layOut(await this.layoutOptions(command.environment));
      return await this.wrap(status.program, layout, command);
    } catch (error) {
      throw notEntered(error);
    }
  }

  /** Cleans up what commands of killed processes left in the workspace folders. */
  recover(): Promise<readonly SandboxReport[]> {
    return realFolders(this.options.roots).then((roots) => this.journal.recover(roots));
  }

  /** Resolves when all files of the sandbox are removed. */
  close(): Promise<void> {
    return Promise.all([this.sites.close(), this.kept?.close()]).then(() => this.folder.remove());
  }

  dispose(): void {
    void this.close();
  }

  private async find(): Promise<SandboxStatus> {
    const impossible = whyImpossible(this.options.roots, homeFolder());
    if (impossible) return impossible;
    const program = await findProgram('bwrap', { cwd: '/', roots: this.options.roots });
    if (program === undefined)
      return { works: false, reason: 'bwrap is not installed. Install the package bubblewrap.' };
    return probe({ program, folder: this.folder, layouts: this.layouts });
  }

  private async layoutOptions(environment: NodeJS.ProcessEnv): Promise<LayoutOptions> {
    const { roots, ownFolders = [] } = this.options;
    return {
      roots,
      secretNames: secretNamesOf(this.options),
      ownFolders: [...ownFolders, this.options.stateFolder, await this.folder.get()],
      settings: this.settings,
      searchPath: searchPath(environment['PATH'] ?? '', roots).split(':'),
      watches: this.kept ? 'all' : 'what-runs',
    };
  }

  private async wrap(bwrap: string, layout: Layout, command: CommandToEnter): Promise<EnteredCommand> {
    const reach = this.settings.allowedDomains.length > 0 ? { sites: await this.sites.socket() } : {};
    const { files, ...wrapped } = await wrapCommand({
      bwrap,
      layout,
      command,
      folder: this.folder,
      ...reach,
    });
    await this.kept?.keep(layout.before.files);
    const entry = await this.journal.begin(layout);
    let first: Promise<number | undefined> = Promise.resolve(undefined);
    return {
      ...wrapped,
      started: async (child) => {
        first = firstProcess(child);
        await Promise.all(files.map((file) => file.close()));
        const pid = await first;
        const how = pid === undefined ? 'gone' : await areMade(pid, layout.mounts, layout.writable);
        release(child, how === 'made');
        // If it ended by itself, its output says why.
        if (pid === undefined || how !== 'otherwise') return;
        endFirst(pid);
        throw new ToolError(
          'The folders of the workspace have changed meanwhile, so the command was not started. Call it again.',
        );
      },
      left: async () => {
        await isGone(await first);
        const kept = this.kept && { kept: this.kept };
        const report = await tidyUp({ ...layout, setAside: entry.setAside, ...kept });
        await entry.end();
        return report;
      },
    };
  }
}

function notEntered(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolError(
    error instanceof TooMuchToGuard
      ? `The workspace is too large to check before a command runs in the sandbox (${reason}). Call again with outside, and the user will be asked.`
      : `The sandbox could not be created, so the command was not started: ${reason}. Call again with outside, and the user will be asked.`,
    { cause: error },
  );
}

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/base/json';
import { ToolError, type PreparedCall, type Tool } from '../../../src/core/words/tool';
import { createSurroundings, type SurroundingsOptions } from '../../../src/node/surroundings';
import { builtInTools } from '../../../src/tools';
import { ToolRegistry } from '../../../src/tools/registry';
import { SkillSource } from '../../../src/tools/call-skill';
import { prepareCall } from '../agent/prepare-call';
import { runContext } from '../agent/run-context';

/** A workspace in a new folder, with the real tools. */
export class ScratchWorkspace {
  readonly tools: readonly Tool[];
  readonly registry: ToolRegistry;
  readonly skills: SkillSource;
  /** Messages about unusable skills. */
  readonly skillProblems: string[] = [];
  readonly surroundings: ReturnType<typeof createSurroundings>;

  private constructor(
    /** Absolute, links resolved. */
    readonly root: string,
    options: Partial<SurroundingsOptions>,
  ) {
    this.surroundings = createSurroundings({
      roots: [root],
      isTrusted: () => true,
      userSkills: path.join(root, 'no-skills-of-the-user'),
      commandRules: () => ({ allow: [], deny: [] }),
      ripgrep: ripgrepPath(),
      ...options,
    });
    this.tools = builtInTools(this.surroundings);
    this.skills = new SkillSource(this.surroundings, (problem) => this.skillProblems.push(problem));
    this.registry = new ToolRegistry({ tools: () => this.tools }, this.skills);
  }

  /** `contents` by path; a path that ends with `/` creates a folder. */
  static async create(
    contents: Readonly<Record<string, string | Buffer>> = {},
    options: Partial<SurroundingsOptions> = {},
  ): Promise<ScratchWorkspace> {
    const scratch = new ScratchWorkspace(
      await realpath(await mkdtemp(path.join(tmpdir(), 'parley-scratch-'))),
      options,
    );
    for (const [file, content] of Object.entries(contents)) await scratch.write(file, content);
    return scratch;
  }

  /** Uses a folder of the caller, who removes it. `root` is absolute and has no links. */
  static over(root: string, options: Partial<SurroundingsOptions>): ScratchWorkspace {
    return new ScratchWorkspace(root, options);
  }

  get files() {
    return this.surroundings.files;
  }

  get search() {
    return this.surroundings.search;
  }

  get processes() {
    return this.surroundings.processes;
  }

  path(file: string): string {
    return path.join(this.root, file);
  }

  async write(file: string, content: string | Buffer): Promise<void> {
    if (file.endsWith('/')) await mkdir(this.path(file), { recursive: true });
    else {
      await mkdir(path.dirname(this.path(file)), { recursive: true });
      await writeFile(this.path(file), content);
    }
  }

  async read(file: string): Promise<string> {
    return readFile(this.path(file), 'utf8');
  }

  async bytes(file: string): Promise<Buffer> {
    return readFile(this.path(file));
  }

  async prepare(name: string, input: JsonObject, signal = unstopped()): Promise<PreparedCall> {
    const tool = this.registry.resolve(name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return prepareCall(tool, input, signal);
  }

  /** Returns the result of a call, with every question answered yes. */
  async call(name: string, input: JsonObject, signal = unstopped()): Promise<string> {
    const prepared = await this.prepare(name, input, signal);
    const { text } = await prepared.run(runContext(signal));
    return text;
  }

  /** Returns the text of the error; the call must fail. */
  async failure(name: string, input: JsonObject, signal = unstopped()): Promise<string> {
    try {
      const result = await this.call(name, input, signal);
      throw new Error(`${name} did not fail: ${result}`);
    } catch (error) {
      if (error instanceof ToolError) return error.message;
      throw error;
    }
  }

  endCommands(): Promise<void> {
    return this.surroundings.endCommands();
  }

  async dispose(): Promise<void> {
    this.surroundings.dispose();
    await this.surroundings.endCommands();
    await rm(this.root, { recursive: true, force: true });
  }
}

const findModule = createRequire(path.resolve('package.json'));

/** The shipped ripgrep, from its package. */
export function ripgrepPath(): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return findModule.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
}

function unstopped(): AbortSignal {
  return new AbortController().signal;
}

import * as vscode from 'vscode';

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/** An in-memory file system, as extensions provide them. */
export class MemoryFileSystem implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly files = new Map<string, MemoryFile>();
  private readonly folders = new Set(['/']);
  private readonly links = new Set<string>();
  private clock = 1;

  constructor(contents: Readonly<Record<string, string | Buffer>>) {
    for (const [path, content] of Object.entries(contents)) this.put(path, Buffer.from(content));
  }

  /** Sends no events. */
  put(path: string, bytes: Uint8Array): void {
    this.addFolders(path.slice(0, path.lastIndexOf('/')) || '/');
    this.files.set(path, { bytes, mtime: this.clock++ });
  }

  /** Links that lead nowhere. */
  link(path: string): void {
    this.links.add(path);
  }

  text(path: string): string | undefined {
    const file = this.files.get(path);
    return file && Buffer.from(file.bytes).toString();
  }

  get paths(): readonly string[] {
    return [...this.files.keys()].sort();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const file = this.files.get(path);
    const type = this.typeOf(path);
    if (type === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return { type, ctime: 0, mtime: file?.mtime ?? 0, size: file?.bytes.length ?? 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    if (!this.folders.has(path)) throw vscode.FileSystemError.FileNotFound(path);
    const prefix = path === '/' ? path : `${path}/`;
    return [...this.folders, ...this.files.keys(), ...this.links].flatMap((each) => {
      const name = each.startsWith(prefix) ? each.slice(prefix.length) : '';
      const type = name === '' || name.includes('/') ? undefined : this.typeOf(each);
      return type === undefined ? [] : [[name, type] as [string, vscode.FileType]];
    });
  }

  createDirectory({ path }: vscode.Uri): void {
    this.addFolders(path);
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const file = this.files.get(path);
    if (!file) throw vscode.FileSystemError.FileNotFound(path);
    return file.bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const isNew = !this.files.has(uri.path);
    this.put(uri.path, content);
    this.tell(uri, isNew ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed);
  }

  delete(uri: vscode.Uri): void {
    if (this.typeOf(uri.path) === undefined) throw vscode.FileSystemError.FileNotFound(uri.path);
    for (const path of this.below(uri.path)) {
      this.files.delete(path);
      this.folders.delete(path);
    }
    this.tell(uri, vscode.FileChangeType.Deleted);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    if (this.typeOf(to.path) !== undefined) throw vscode.FileSystemError.FileExists(to.path);
    for (const path of this.below(from.path)) {
      const file = this.files.get(path);
      const next = to.path + path.slice(from.path.length);
      if (file) this.put(next, file.bytes);
      else this.addFolders(next);
      this.files.delete(path);
      this.folders.delete(path);
    }
    this.tell(from, vscode.FileChangeType.Deleted);
    this.tell(to, vscode.FileChangeType.Created);
  }

  private typeOf(path: string): vscode.FileType | undefined {
    if (this.links.has(path)) return vscode.FileType.SymbolicLink | vscode.FileType.File;
    if (this.files.has(path)) return vscode.FileType.File;
    return this.folders.has(path) ? vscode.FileType.Directory : undefined;
  }

  private below(path: string): readonly string[] {
    return [...this.files.keys(), ...this.folders].filter(
      (each) => each === path || each.startsWith(`${path}/`),
    );
  }

  private addFolders(path: string): void {
    for (let at = path; at !== '' && !this.folders.has(at); at = at.slice(0, at.lastIndexOf('/')))
      this.folders.add(at);
  }

  private tell(uri: vscode.Uri, type: vscode.FileChangeType): void {
    this.changed.fire([{ type, uri }]);
  }
}

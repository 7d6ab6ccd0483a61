import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { foldTranscript } from '../../src/core/transcript/fold-transcript';
import { emptyTranscript } from '../../src/core/transcript/transcript';
import type { Attachment } from '../../src/core/words/attachment';
import {
  attachMentions,
  pastedImage,
  type MentionPorts,
} from '../../src/host/services/attachments/attach-mentions';
import {
  attachmentsFor,
  attachQuestion,
  contextItems,
  rulesOf,
} from '../../src/host/services/attachments/context';
import { mentionsOf } from '../../src/host/services/attachments/dropped-paths';
import { lookAtEditor, readSelection } from '../../src/host/services/attachments/editor-look';
import { commandText, TerminalTails } from '../../src/host/services/attachments/terminal';
import { WindowContext, type WindowContextParts } from '../../src/host/services/attachments/window-context';
import { createEditorFiles } from '../../src/host/platform/files/files';
import type { FileAccessParts } from '../../src/host/platform/files/window-files';
import { createFiles } from '../../src/node/files/files';
import { createSearch } from '../../src/node/search/search';
import { emptyMemento } from '../support/vscode/empty-memento';
import { eventually } from '../support/eventually';
import { gif, png } from '../support/images';
import { ripgrepPath } from '../support/workspace/scratch-workspace';

const KIB = 1024;

const noServers = async () => undefined;

describe('context of a message', () => {
  let root: string;
  let folder: string;
  /** The path below the root, with a trailing slash. */
  let at: string;
  let asked: string[];
  let answer: boolean;
  let isTrusted: boolean;
  let seesImages: boolean;

  beforeEach(async () => {
    const [open] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(open);
    root = await realpath(open.uri.fsPath);
    folder = await mkdtemp(path.join(root, 'context-'));
    at = `${path.basename(folder)}/`;
    asked = [];
    answer = false;
    isTrusted = true;
    seesImages = false;
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  async function put(file: string, content: string | Buffer): Promise<string> {
    const whole = path.join(folder, file);
    await mkdir(path.dirname(whole), { recursive: true });
    await writeFile(whole, content);
    return whole;
  }

  function files() {
    return createEditorFiles(createFiles({ roots: [root] }));
  }

  function attach(text: string, more: Partial<MentionPorts> = {}): Promise<Attachment[]> {
    return attachMentions(text, {
      files: files(),
      search: createSearch({ roots: [root], ripgrep: ripgrepPath() }),
      terminals: { of: () => undefined },
      mcp: noServers,
      signal: new AbortController().signal,
      isTrusted,
      model: { name: 'Small', seesImages },
      confirmResource: async () => false,
      confirm: async (place) => {
        asked.push(place.resolved);
        return answer;
      },
      ...more,
    });
  }

  function accessParts(): FileAccessParts {
    // SAFETY: the only setting that is read is a list.
    const settings = { get: () => [] } as unknown as FileAccessParts['settings'];
    return { context: { globalStorageUri: vscode.Uri.file(path.join(folder, 'storage')) }, settings };
  }

  async function problemOf(mention: string): Promise<string> {
    const [attachment, ...more] = await attach(`see ${mention} please`);
    assert.deepEqual(more, []);
    assert.equal(attachment?.type, 'missing');
    assert.match(attachment.problem, /[.?]$/);
    return attachment.problem;
  }

  async function show(file: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
  }

  it('reads a file from the disk, or from the editor if it has unsaved changes', async () => {
    const file = await put('my a.ts', 'saved\n');
    const mention = `@file:"${at}my a.ts"`;
    const label = `${at}my a.ts`;
    assert.deepEqual(await attach(mention), [{ type: 'text', source: 'file', label, text: 'saved\n' }]);
    const editor = await show(file);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'un'));
    assert.deepEqual(await attach(mention), [{ type: 'text', source: 'file', label, text: 'unsaved\n' }]);
    await editor.document.save();
  });

  it('attaches lines of a file, even if the whole file is too large', async () => {
    await put('a.ts', 'one\ntwo\nthree\n');
    await put('big.log', `${'x'.repeat(99)}\n`.repeat(3 * KIB));
    const [part, rest, big] = await attach(
      `@file:${at}a.ts#L2 @file:${at}a.ts#L2-9 @file:${at}big.log#L3000-3001`,
    );
    assert.deepEqual(part, { type: 'text', source: 'file', label: `${at}a.ts:2`, text: 'two' });
    assert.deepEqual(rest, { type: 'text', source: 'file', label: `${at}a.ts:2-3`, text: 'two\nthree' });
    assert.ok(big?.type === 'text' && big.label === `${at}big.log:3000-3001`);
    assert.equal(big.text.length, 199);
    assert.match(await problemOf(`@file:${at}a.ts#L4-5`), /^The file has only 3 lines\./);
    assert.match(await problemOf(`@file:${at}big.log#L1-3000`), /It has 293 KiB; the limit is 256 KiB/);
  });

  it('attaches a folder as two levels of its tree', async () => {
    await put('src/deep/deeper/x.ts', '');
    await put('src/a.ts', '12345');
    const [attachment] = await attach(`@folder:${at}src/`);
    assert.deepEqual(attachment, {
      type: 'text',
      source: 'folder',
      label: `${at}src/`,
      text: `${at}src: 2 files in all\na.ts (5 bytes)\ndeep/ (1 file)\n  deeper/ (1 file)`,
    });
  });

  it('attaches each mention once and in order, and says what is wrong with the others', async () => {
    await put('a.ts', 'a');
    const all = await attach(`@file:${at}a.ts @file:${at}b.ts @problems @file:${at}a.ts @terminal`);
    assert.deepEqual(
      all.map(({ type, label }) => [type, label]),
      [
        ['text', `${at}a.ts`],
        ['missing', `${at}b.ts`],
        ['text', 'Problems'],
        ['missing', '@terminal'],
      ],
    );
  });

  it('says in one sentence why something is not attached, and what to do', async () => {
    await put('notes.txt', 'x');
    await put('big.log', 'x'.repeat(300 * KIB));
    await put('tool.bin', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
    assert.match(
      await problemOf(`@file:${at}note.txt`),
      /^Not found\. Did you mean .*notes\.txt\?$|notes\.txt/,
    );
    assert.match(await problemOf('@file:no/such/thing.xyz'), /^Not found\. Check the path/);
    assert.match(await problemOf(`@file:${at.slice(0, -1)}`), /This is not a file\. .*@folder/);
    assert.match(await problemOf(`@folder:${at}notes.txt`), /This is not a folder\. .*@file/);
    assert.match(await problemOf(`@file:${at}big.log`), /It has 300 KiB; the limit is 256 KiB/);
    assert.match(await problemOf(`@file:${at}tool.bin`), /This file is not text/);
    assert.match(await problemOf('@file:/dev/zero'), /is refused: not a regular file/);
    assert.match(await problemOf(`@file:~/x`), /is refused/);
    assert.deepEqual(asked, []);
  });

  it('G9.mention: asks about a secret file, names the resolved path, and attaches it only after a yes', async () => {
    const secret = await put('.env', 'KEY=1\n');
    await symlink('.env', path.join(folder, 'harmless.txt'));
    for (const name of ['.env', 'harmless.txt']) {
      answer = false;
      assert.match(await problemOf(`@file:${at}${name}`), /You did not allow it/);
      assert.deepEqual(asked.splice(0), [secret]);
      answer = true;
      const [attachment] = await attach(`@file:${at}${name}`);
      assert.deepEqual(asked.splice(0), [secret]);
      assert.equal(attachment?.type === 'text' && attachment.text, 'KEY=1\n');
    }
  });

  it('G9.mention: the question names the file, the resolved path and the reason', async () => {
    await put('.env', 'KEY=1');
    await symlink('.env', path.join(folder, 'harmless.txt'));
    const place = await files().resolve(`${at}harmless.txt`, 'read');
    assert.deepEqual(attachQuestion(place), {
      question: `Send ${at}.env to the model? Parley asks because: secret file.`,
      detail: path.join(folder, '.env'),
    });
    const hostile = attachQuestion({ ...place, resolved: '/a\u202e/b' });
    assert.equal(hostile.detail, '/a⟨U+202E⟩/b');
  });

  it('G6.mention: asks about paths outside, and refuses them without asking in Restricted Mode', async () => {
    const outside = await realpath(await mkdtemp(path.join(path.dirname(root), 'outside-')));
    await writeFile(path.join(outside, 'x.txt'), 'outside');
    await symlink(outside, path.join(folder, 'out'));
    for (const mention of [
      `@file:${at}out/x.txt`,
      `@file:${outside}/x.txt`,
      `@file:${at}../../${path.basename(outside)}/x.txt`,
    ]) {
      assert.match(await problemOf(mention), /You did not allow it/);
      assert.deepEqual(asked.splice(0), [path.join(outside, 'x.txt')], mention);
    }
    assert.match(await problemOf(`@folder:${at}out`), /You did not allow it/);
    assert.deepEqual(asked.splice(0), [outside]);
    isTrusted = false;
    for (const mention of [`@file:${at}out/x.txt`, `@folder:${outside}`]) {
      assert.match(await problemOf(mention), /outside the untrusted workspace/);
    }
    assert.deepEqual(asked, []);
    await rm(outside, { recursive: true });
  });

  it('G16.mention: makes hidden text in files visible for the model', async () => {
    await put('a.txt', 'a\u001b[2Jb\u{e0041}\u200bc');
    const [attachment] = await attach(`@file:${at}a.txt`);
    assert.equal(attachment?.type === 'text' && attachment.text, 'a⟨U+001B⟩[2Jb⟨U+E0041⟩\u200bc');
  });

  it('attaches an image, recognized by its bytes, if the model can see images', async () => {
    const bytes = png(640, 480);
    await put('shot.txt', bytes);
    await put('fake.png', 'just text');
    assert.match(await problemOf(`@file:${at}shot.txt`), /^Small cannot read images\. .*"vision"/);
    seesImages = true;
    assert.deepEqual(await attach(`@file:${at}shot.txt @file:${at}fake.png`), [
      {
        type: 'image',
        label: `${at}shot.txt`,
        image: { mediaType: 'image/png', data: bytes.toString('base64') },
      },
      { type: 'text', source: 'file', label: `${at}fake.png`, text: 'just text' },
    ]);
  });

  it('refuses images with too many bytes or pixels', async () => {
    seesImages = true;
    await put('wide.gif', gif(8_001, 10));
    await put('heavy.gif', Buffer.concat([gif(10, 10), Buffer.alloc(5 * KIB * KIB)]));
    assert.match(await problemOf(`@file:${at}wide.gif`), /8001 × 10 pixels. The limit is 8000/);
    assert.match(await problemOf(`@file:${at}heavy.gif`), /5 MiB for images/);
  });

  it('refuses an incomplete image with a reason', async () => {
    seesImages = true;
    await put('cut.png', png(640, 480).subarray(0, -12));
    await put('empty.gif', gif(0, 0));
    for (const name of ['cut.png', 'empty.gif'])
      assert.match(await problemOf(`@file:${at}${name}`), /^The image is incomplete\. Save it again/);
  });

  it('G35.images: attaches at most 10 MiB of images', async () => {
    seesImages = true;
    const names = ['a.gif', 'b.gif', 'c.gif', 'd.gif'];
    const heavy = Buffer.concat([gif(10, 10), Buffer.alloc(4 * KIB * KIB)]);
    for (const name of names) await put(name, name === 'd.gif' ? gif(1, 1) : heavy);
    const attached = await attach(names.map((name) => `@file:${at}${name}`).join(' '));
    assert.deepEqual(
      attached.map(({ type }) => type),
      ['image', 'image', 'missing', 'image'],
    );
    assert.match(JSON.stringify(attached[2]), /at most 10 MiB of images/);
  });

  it('G35.search: has one time limit for all searches, then sends the message with what it has found', async () => {
    await put('a.ts', 'a');
    await put('src/b.ts', 'b');
    let searches = 0;
    const never = <T>(signal: AbortSignal): Promise<T> =>
      new Promise((_, reject) => {
        searches += 1;
        signal.addEventListener('abort', () => {
          // SAFETY: `AbortSignal.timeout` gives a DOMException.
          reject(signal.reason as Error);
        });
      });
    const search = {
      files: (_: unknown, signal: AbortSignal) => never<never>(signal),
      text: (_: unknown, signal: AbortSignal) => never<never>(signal),
      census: (_: unknown, __: unknown, signal: AbortSignal) => never<never>(signal),
    };
    const text = `@folder:${at}src @file:${at}none.zzz @folder:${at} @file:${at}a.ts`;
    const attached = await attach(text, { search, searchMs: 400 });
    assert.equal(searches, 1);
    assert.deepEqual(
      attached.map((each) => (each.type === 'missing' ? each.problem : each.type)),
      [
        'Reading it took too long. Use a smaller folder.',
        'Not found. Check the path, or type @ and pick a file.',
        'Reading it took too long. Use a smaller folder.',
        'text',
      ],
    );
  });

  it('G35.mentions: attaches a limited number of mentions, text and images', async () => {
    seesImages = true;
    const names = Array.from({ length: 25 }, (_, index) => `f${index}.txt`);
    for (const name of names) await put(name, 'x');
    const many = await attach(names.map((name) => `@file:${at}${name}`).join(' '));
    assert.equal(many.filter(({ type }) => type === 'text').length, 20);
    assert.equal(many.filter(({ type }) => type === 'missing').length, 5);

    for (const name of ['a', 'b', 'c']) await put(name, 'x'.repeat(200 * KIB));
    const long = await attach(['a', 'b', 'c'].map((name) => `@file:${at}${name}`).join(' '));
    assert.deepEqual(
      long.map(({ type }) => type),
      ['text', 'text', 'missing'],
    );

    const shots = Array.from({ length: 6 }, (_, index) => `s${index}.png`);
    for (const name of shots) await put(name, png(1, 1));
    const seen = await attach(shots.map((name) => `@file:${at}${name}`).join(' '));
    assert.deepEqual(
      seen.map(({ type }) => type),
      [...Array.from({ length: 5 }, () => 'image'), 'missing'],
    );
  });

  describe('something pasted or dropped', () => {
    const model = (): MentionPorts['model'] => ({ name: 'Model', seesImages });

    it('is an image by its bytes, whatever its name, if the model sees images', () => {
      const taken = (bytes: Buffer) => pastedImage({ name: 'a.txt', bytes }, [], model());
      const refused = (bytes: Buffer): string => {
        const image = taken(bytes);
        return image.type === 'missing' ? image.problem : '';
      };
      assert.match(refused(png(8, 8)), /Model cannot read images/);
      seesImages = true;
      assert.deepEqual(taken(gif(8, 8)), {
        ...{ type: 'image', label: 'a.txt', isPasted: true },
        image: { mediaType: 'image/gif', data: gif(8, 8).toString('base64') },
      });
      assert.match(refused(Buffer.from('<svg/>')), /image format is not supported/);
      assert.match(refused(png(9_000, 8)), /The limit is 8000 per side/);
      assert.match(refused(png(8, 8).subarray(0, 40)), /incomplete/);
      assert.match(refused(Buffer.alloc(6 * 1024 * KIB)), /too large/);
    });

    it('G35.pasted: is a limited number of images, besides those that a message mentions', async () => {
      seesImages = true;
      await put('a.png', png(8, 8));
      const image = pastedImage({ name: '', bytes: png(8, 8) }, [], model());
      assert.ok(image.type === 'image');
      assert.equal(image.label, 'Pasted image');
      const five = Array.from({ length: 5 }, () => image);
      assert.equal(pastedImage({ name: '', bytes: png(8, 8) }, five, model()).type, 'missing');
      const ports = { files: files(), search: createSearch({ roots: [root] }) };
      const attached = await attachMentions(
        `@file:${at}a.png`,
        {
          ...ports,
          ...{ terminals: { of: () => undefined }, mcp: noServers, isTrusted },
          signal: new AbortController().signal,
          ...{ model: model(), confirm: async () => false, confirmResource: async () => false },
        },
        five,
      );
      assert.deepEqual(
        attached.map(({ type }) => type),
        ['image', 'image', 'image', 'image', 'image', 'missing'],
      );
    });

    it('is a mention if the workspace holds it, and else a sentence', async () => {
      const uriOf = (file: string): string => vscode.Uri.file(file).toString();
      // The URI scheme of files in a remote window.
      const inRemote = (uri: string): string => uri.replace('file://', 'vscode-remote://ssh-remote%2Bhost');
      const spaced = uriOf(await put('my file.ts', 'x'));
      const linked = path.join(folder, 'out');
      await symlink('/etc', linked);
      const { text, problem } = await mentionsOf(
        [
          spaced,
          inRemote(spaced),
          uriOf(folder),
          '/etc/passwd',
          uriOf('/etc/passwd'),
          uriOf(linked),
          'file://%',
          '',
        ],
        files(),
      );
      assert.equal(text, `@file:"${at}my file.ts" @folder:${at} `);
      assert.match(problem ?? '', /^Only files and folders in the workspace become mentions: passwd/);
      assert.deepEqual(await mentionsOf([uriOf(path.join(folder, 'gone'))], files()), {
        text: '',
        problem:
          'Only files and folders in the workspace become mentions: gone. For other files, type @file:"/path/to/file".',
      });
    });
  });

  describe('problems', () => {
    let collection: vscode.DiagnosticCollection;
    beforeEach(() => (collection = vscode.languages.createDiagnosticCollection('context-test')));
    afterEach(() => collection.dispose());

    function say(
      file: string,
      ...all: readonly (readonly [line: number, message: string, severity: vscode.DiagnosticSeverity])[]
    ): void {
      const diagnostics = all.map(([line, message, severity]) => {
        const diagnostic = new vscode.Diagnostic(new vscode.Range(line, 2, line, 5), message, severity);
        diagnostic.source = 'tsc';
        return diagnostic;
      });
      collection.set(vscode.Uri.file(file), diagnostics);
    }

    const { Error, Warning, Information, Hint } = vscode.DiagnosticSeverity;

    it('list errors first, each with its place', async () => {
      say(await put('b.ts', 'b'), [4, 'Odd.\n  Really\u202e.', Warning], [1, 'Wrong.', Error]);
      say(await put('a.ts', 'a'), [0, 'Just so.', Information], [0, 'Unseen.', Hint], [7, 'Bad.', Error]);
      const [attachment] = await attach('@problems');
      const lines = attachment?.type === 'text' ? attachment.text.split('\n') : [];
      assert.deepEqual(lines, [
        '2 errors, 1 warning',
        `${at}a.ts:8:3 error: Bad. (tsc)`,
        `${at}b.ts:2:3 error: Wrong. (tsc)`,
        `${at}b.ts:5:3 warning: Odd. Really⟨U+202E⟩. (tsc)`,
        `${at}a.ts:1:3 info: Just so. (tsc)`,
      ]);
    });

    it('G9.problems: leave out secret files and files outside', async () => {
      say(await put('.env', 'KEY=1'), [0, 'KEY is hunter2', Error]);
      say(path.join(path.dirname(root), 'outside.ts'), [0, 'Outside.', Error]);
      const [attachment] = await attach('@problems');
      assert.equal(attachment?.type === 'text' && attachment.text, 'No problems.');
    });

    it('G35.problems: are cut off with a note', async () => {
      const many = Array.from({ length: 250 }, (_, line) => [line, 'x'.repeat(2_000), Error] as const);
      say(await put('a.ts', 'a'), ...many);
      const [attachment] = await attach('@problems');
      const text = attachment?.type === 'text' ? attachment.text : '';
      assert.match(text, /^250 errors, 0 warnings\n/);
      assert.match(text, /\n\[50 more are left out\.\]$/);
      assert.ok(text.length < 200 * 600);
    });
  });

  describe('terminal', () => {
    let tails: TerminalTails;
    let terminal: vscode.Terminal | undefined;
    let write: ((text: string) => void) | undefined;
    before(() => (tails = new TerminalTails()));
    after(() => tails.dispose());
    afterEach(() => terminal?.dispose());

    /** A terminal that prints this, with the OSC 633 sequences of shell integration. */
    async function terminalWith(printed: string): Promise<void> {
      const emitter = new vscode.EventEmitter<string>();
      write = (text) => emitter.fire(text);
      const opened = new Promise<void>((resolve) => {
        terminal = vscode.window.createTerminal({
          name: 'context test',
          pty: { onDidWrite: emitter.event, open: () => resolve(), close: () => undefined },
        });
      });
      terminal?.show();
      await opened;
      emitter.fire(printed);
    }

    const prompt = '\x1b]633;A\x07$ \x1b]633;B\x07';
    const run = (command: string, output: string): string =>
      `${prompt}${command}\x1b]633;E;${command}\x07\x1b]633;C\x07\r\n${output}`;

    function text(wanted: RegExp): Promise<string> {
      return eventually(async () => {
        const [attachment] = await attach('@terminal', { terminals: tails });
        const said = attachment?.type === 'text' ? attachment.text : JSON.stringify(attachment);
        assert.match(said, wanted);
        return said;
      });
    }

    it('is the last command with its output, without colours, and its exit code', async () => {
      await terminalWith(run('ls', 'a.txt\r\n\x1b]633;D;0\x07'));
      await text(/ended with code 0/);
      write?.(run('npm test', '\x1b[31mfailed\x1b[0m: 50%\r100%\r\nnot ok\u202e\r\n'));
      const shown = '$ npm test\n100%\nnot ok⟨U+202E⟩\n';
      assert.equal(await text(/not ok/), `${shown}[It is still running.]`);
      write?.('\x1b]633;D;1\x07');
      assert.equal(await text(/ended/), `${shown}[It has ended with code 1.]`);
    });

    it('says that a shell reports nothing', async () => {
      await terminalWith('hello\r\n');
      assert.match(
        await text(/./),
        /has no shell integration, so its output cannot be read\. Paste the text instead\./,
      );
    });

    it('G35.terminal: is the end of a long output', () => {
      const output = Array.from({ length: 20_000 }, (_, index) => `line ${index}\r\n`).join('');
      const command = { command: 'seq', output, isCut: false, exitCode: 0, isRunning: false };
      const lines = commandText(command).split('\n');
      assert.deepEqual(lines.slice(0, 2), ['$ seq', '[The beginning of the output is left out.]']);
      assert.match(lines[2] ?? '', /^line \d+$/);
      assert.deepEqual(lines.slice(-2), ['line 19999', '[It has ended with code 0.]']);
      assert.ok(Buffer.byteLength(lines.join('\n')) < 33 * KIB);
    });
  });

  describe('editor', () => {
    const look = () => lookAtEditor(files(), { isTrusted });
    /** Resolves when the window has it: until then, a newly opened editor may still report its first caret. */
    const select = (editor: vscode.TextEditor, wanted: vscode.Selection): Promise<void> =>
      new Promise((resolve) => {
        const listening = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
          if (textEditor !== editor || !selections[0]?.isEqual(wanted)) return;
          listening.dispose();
          resolve();
        });
        editor.selection = wanted;
      });
    const selected = async () => {
      const { selection } = await look();
      return selection && readSelection(selection);
    };

    it('is the names of open files, and the selection with its lines', async () => {
      await show(await put('a.ts', 'one\ntwo\nthree\n'));
      const editor = await show(await put('b.ts', 'one\ntwo\nthree\n'));
      assert.deepEqual((await look()).open, [`${at}b.ts`, `${at}a.ts`]);
      assert.equal((await look()).editor.text, `Active file: ${at}b.ts\nAlso open: ${at}a.ts`);
      assert.equal((await look()).selection, undefined);
      for (const [from, to, label, text] of [
        [[1, 0], [1, 3], ':2', 'two'],
        [[0, 1], [2, 2], ':1-3', 'ne\ntwo\nth'],
        [[0, 0], [1, 0], ':1', 'one\n'],
      ] as const) {
        await select(editor, new vscode.Selection(from[0], from[1], to[0], to[1]));
        const selection = { type: 'text', source: 'selection', label: `${at}b.ts${label}`, text };
        assert.deepEqual(await selected(), selection);
      }
    });

    it('G9.editor: excludes secret files and files outside', async () => {
      const outside = path.join(path.dirname(root), 'outside.txt');
      await writeFile(outside, 'KEY=1');
      for (const file of [await put('.env', 'KEY=1'), outside]) {
        const editor = await show(file);
        await select(editor, new vscode.Selection(0, 0, 0, 5));
        const seen = await look();
        assert.deepEqual(seen.open, []);
        assert.equal(seen.editor.text, 'No file is open.');
        assert.equal(seen.selection, undefined);
      }
      await rm(outside);
    });

    it('G2.editor: is only names in Restricted Mode', async () => {
      const editor = await show(await put('a.ts', 'one'));
      await select(editor, new vscode.Selection(0, 0, 0, 3));
      assert.ok((await look()).selection);
      isTrusted = false;
      const seen = await look();
      assert.deepEqual(seen.open, [`${at}a.ts`]);
      assert.equal(seen.selection, undefined);
    });

    it('G35.editor: is a limited number of names and the beginning of a long selection', async () => {
      const editor = await show(await put('long.ts', `${'x'.repeat(99)}\n`.repeat(1_000)));
      await select(editor, new vscode.Selection(0, 0, 1_000, 0));
      const selection = await selected();
      assert.equal(selection?.label, `${at}long.ts:1-1000`);
      assert.ok(Buffer.byteLength(selection.text) < 17 * KIB);
      assert.match(selection.text, /x\n\[The rest of the selection is left out\.\]$/);
    });

    it('G35.selection: reads no more of the document than is sent, and nothing for the chips', async () => {
      const editor = await show(await put('long.ts', `${'é'.repeat(99)}\n`.repeat(1_000)));
      await select(editor, new vscode.Selection(2, 5, 1_000, 0));
      const { selection } = await look();
      assert.ok(selection);
      const asked: number[] = [];
      const document = {
        offsetAt: (position: vscode.Position) => editor.document.offsetAt(position),
        positionAt: (offset: number) => editor.document.positionAt(offset),
        getText: (range?: vscode.Range) => {
          const text = editor.document.getText(range);
          asked.push(text.length);
          return text;
        },
      };
      const { text } = readSelection({ ...selection, document });
      assert.deepEqual(asked, [16 * KIB]);
      assert.match(text, /^é{94}\n(é{99}\n)+\[The rest of the selection is left out\.\]$/);
      // One character more than the limit, and exactly as many.
      const one = await show(await put('one.ts', 'x'.repeat(16 * KIB + 1)));
      await select(one, new vscode.Selection(0, 0, 0, 16 * KIB + 1));
      assert.match((await selected())?.text ?? '', /left out/);
      await select(one, new vscode.Selection(0, 1, 0, 16 * KIB + 1));
      assert.equal((await selected())?.text, 'x'.repeat(16 * KIB));
    });

    it('is sent if it has changed since the last message, the selection every time', async () => {
      const editor = await show(await put('a.ts', 'one\ntwo\n'));
      await select(editor, new vscode.Selection(0, 0, 0, 3));
      let transcript = emptyTranscript;
      const send = async (withEditor = true): Promise<readonly string[]> => {
        const model = { name: 'm', seesImages: false };
        const parts = accessParts();
        const terminals = { of: () => undefined };
        const { signal } = new AbortController();
        const sending = { transcript, images: [], withEditor, terminals, model, mcp: noServers, signal };
        const attachments = (await attachmentsFor('hi', parts, sending)) ?? [];
        transcript = foldTranscript(transcript, { type: 'run-start', text: 'hi', attachments, time: 0 });
        return attachments.map(({ label }) => label);
      };
      assert.deepEqual(await send(false), []);
      assert.deepEqual(await send(), ['Editor', `${at}a.ts:1`]);
      assert.deepEqual(await send(), [`${at}a.ts:1`]);
      await show(await put('b.ts', ''));
      assert.deepEqual(await send(), ['Editor']);
      assert.deepEqual(await send(), []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      // Without this the model would believe that the files are still open.
      assert.deepEqual(await send(), ['Editor']);
      assert.deepEqual(await send(), []);
    });
  });

  it('returns only the last of several parallel reads', async () => {
    const globalStorageUri = vscode.Uri.file(path.join(folder, 'storage'));
    const context = { globalStorageUri, workspaceState: emptyMemento };
    // SAFETY: a read uses only the location of Parley's files.
    const parts = {
      context,
      settings: {
        get: (key: string) => (key === 'context.editor' ? true : []),
        onChange: () => new vscode.Disposable(() => undefined),
      },
      choices: {},
      mcp: { onDidChange: () => undefined },
    } as unknown as WindowContextParts;
    const window = new WindowContext(parts);
    try {
      await show(await put('a.ts', 'one'));
      const looks = await Promise.all([window.look(), window.look(), window.look()]);
      assert.deepEqual(
        looks.map((each) => each?.items.map(({ label }) => label)),
        [undefined, undefined, ['a.ts']],
      );
      assert.deepEqual((await window.look())?.withEditor, true);
    } finally {
      window.dispose();
    }
  });

  it('names the rules and what the editor shows before a message is sent', async () => {
    const rules = path.join(root, 'AGENTS.md');
    await writeFile(rules, 'Be kind.');
    try {
      const parts = accessParts();
      await show(await put('a.ts', 'one'));
      const items = await contextItems(parts, { withEditor: true });
      assert.deepEqual(
        items.map(({ source, label }) => [source, label]),
        [
          ['rules', 'AGENTS.md'],
          ['editor', 'a.ts'],
        ],
      );
      assert.match(items[0]?.title ?? '', /^AGENTS\.md in .* is part of the instructions \(8 bytes\)\.$/);
      assert.deepEqual((await contextItems(parts, { withEditor: false })).length, 1);
      assert.deepEqual(
        (await rulesOf(parts)).files.map(({ text }) => text),
        ['Be kind.'],
      );
    } finally {
      await rm(rules);
    }
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { SENTENCE, TITLE } from '../../../src/base/translate-sentence';
import { repository } from '../../hosts/repository';

/** The translated texts, by translation file: texts of host and pages, and those of package.json. */
export const bundleFile = path.join(repository, 'l10n/bundle.l10n.zh-cn.json');
export const manifestFile = path.join(repository, 'package.nls.zh-cn.json');

/** A text for people, possibly with `{0}`, and its place in the sources. */
export interface FoundText {
  readonly text: string;
  /** `src/host/ui/commands.ts:12`. */
  readonly at: string;
}

/** The texts for people in the sources, as far as static analysis can find them. */
export interface TextsInSources {
  /** Keys of the bundle: arguments of `vscode.l10n.t` and of the page's `t`, and the sentences of all other parts. */
  readonly keys: readonly FoundText[];
  /** More texts of those parts that may be translated: not all of them reach people. */
  readonly others: ReadonlySet<string>;
  /** Calls of `t` whose text is only known at run time. */
  readonly computed: readonly string[];
  /** Texts that host and page show untranslated. */
  readonly raw: readonly FoundText[];
  /** Texts of error and warning notifications without a button. */
  readonly alone: readonly FoundText[];
}

/** Reads all of `src`. */
export function textsInSources(): TextsInSources {
  const program = createProgram();
  const checker = program.getTypeChecker();
  const found = {
    keys: [] as FoundText[],
    computed: [] as string[],
    raw: [] as FoundText[],
    alone: [] as FoundText[],
  };
  const others = new Set<string>();
  for (const source of program.getSourceFiles()) {
    const file = path.relative(repository, source.fileName).replaceAll('\\', '/');
    const folder = /^src\/(\w+)\//.exec(file)?.[1];
    // The manifest has no texts: package.json has `%keys%`.
    if (folder === undefined || folder === 'manifest') continue;
    const isSpoken = !FOR_MODELS.has(file) && !file.startsWith('src/models/demo/');
    const isEdge = folder === 'host' || folder === 'webview';
    const visit = (node: ts.Node): void => {
      const at = `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
      const named = (texts: readonly string[]): FoundText[] => texts.map((text) => ({ text, at }));
      const key = isEdge ? keyOf(node) : undefined;
      if (key) {
        const texts = literals(checker.getTypeAtLocation(key));
        if (texts) found.keys.push(...named(texts));
        else found.computed.push(at);
      }
      const warning = isEdge ? warningOf(node) : undefined;
      if (warning) found.alone.push(...named(literals(checker.getTypeAtLocation(warning)) ?? []));
      if (isEdge) found.raw.push(...named(rawTexts(node)));
      else {
        for (const text of textsOf(node)) others.add(text + SENTENCE);
        const sentences = isSpoken ? spokenBy(node, folder, checker).filter(isSentence) : [];
        found.keys.push(...named(sentences.map((text) => text + SENTENCE)));
        found.keys.push(...named(titlesIn(node).map((text) => text + TITLE)));
      }
      ts.forEachChild(node, visit);
    };
    ts.forEachChild(source, visit);
  }
  return { ...found, others };
}

/** Returns the placeholders, such as `{0}`, in order. */
export function placeholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g))].sort();
}

export function readTexts(file: string): Readonly<Record<string, string>> {
  // SAFETY: the file is in this repository.
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}

/** Returns the texts without a translation: keys of the bundle with their places, and names from package.json. */
export function untranslated({ keys }: TextsInSources): readonly string[] {
  const bundle = readTexts(bundleFile);
  const manifest = readTexts(manifestFile);
  const english = readTexts(path.join(repository, 'package.nls.json'));
  return [
    ...keys.flatMap(({ text, at }) => (bundle[text] ? [] : [`${at}: ${text}`])),
    ...Object.entries(english).flatMap(([key, text]) =>
      manifest[key] ? [] : [`package.nls.json: ${key}: ${text}`],
    ),
  ];
}

function createProgram(): ts.Program {
  const folder = path.join(repository, 'src');
  const page = path.join(folder, 'webview');
  // SAFETY: the parser below returns this type.
  const { config } = ts.readConfigFile(path.join(page, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, page);
  // Our own files contain all needed types; with the packages and libraries it would take ten times as long.
  const host = ts.createCompilerHost({ ...options, noLib: true });
  host.resolveModuleNameLiterals = (names, file, _, settings) =>
    names.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, file, settings, host) : { resolvedModule: undefined },
    );
  const files = ts.sys.readDirectory(folder, ['.ts', '.tsx']);
  return ts.createProgram(files, { ...options, noLib: true }, host);
}

/** Returns the first argument if the node is a call of `vscode.l10n.t` or `t`. */
function keyOf(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  return ['t', 'vscode.l10n.t'].includes(node.expression.getText()) ? node.arguments[0] : undefined;
}

/** Returns the translated text of an error or warning notification without a button. */
function warningOf(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || node.arguments.length !== 1) return undefined;
  if (!/^vscode\.window\.show(?:Error|Warning)Message$/.test(node.expression.getText())) return undefined;
  return node.arguments[0] && keyOf(node.arguments[0]);
}

/** Returns the values of a type that is a union of literals. */
function literals(type: ts.Type): readonly string[] | undefined {
  if (type.isStringLiteral()) return [type.value];
  if (!type.isUnion()) return undefined;
  const all = type.types.map(literals);
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

/** Returns the possible texts of an expression, with `{0}`, `{1}` … for inserted values. */
function textsOf(node: ts.Node | undefined): readonly string[] {
  if (node === undefined) return [];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textsOf(node.expression);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...textsOf(node.left), ...textsOf(node.right)];
  const pieces = piecesOf(node);
  return pieces ? [pieces.reduce((text, piece, at) => `${text}{${at - 1}}${piece}`)] : [];
}

/** Returns the text between the inserted values. */
function piecesOf(node: ts.Node): readonly string[] | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const left = piecesOf(node.left);
  const right = piecesOf(node.right);
  if (!left && !right) return undefined;
  const first = left ?? ['', ''];
  const second = right ?? ['', ''];
  return [...first.slice(0, -1), `${first.at(-1) ?? ''}${second[0] ?? ''}`, ...second.slice(1)];
}

/** Files that make texts only for models. */
const FOR_MODELS: ReadonlySet<string> = new Set(
  [
    ...[
      'core/run/instructions',
      'core/context/summary',
      'core/transcript/history',
      'core/run/sub-agent',
      'core/run/argument-changes',
    ],
    ...[
      'gateway/answer-form',
      'gateway/api-messages',
      'gateway/built-in-tools',
      'doctor/tasks',
      'doctor/jobs',
      'doctor/task-tools',
      'core/run/agent-profile',
      'models/form/form-probe',
      'models/without-images',
    ],
  ].map((file) => `src/${file}.ts`),
);

/** Names of properties, parameters and constants that hold a sentence for people. */
const SPOKEN = /^(?:reason|why|message|problem|what|note|hint)$/;

/** The same for the command line, which has more texts of its own. */
const SPOKEN_THERE = /^(?:reason|message|problem|what|hint|where|sentence)$/;

/** Texts at places that build messages for people. */
function spokenBy(node: ts.Node, folder: string, checker: ts.TypeChecker): readonly string[] {
  // Results of tools are for models.
  const forModels = folder === 'tools' || folder === 'node' ? /^(?:reason|note)$/ : SPOKEN;
  const name = folder === 'cli' ? SPOKEN_THERE : forModels;
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node))
    return name.test(node.name.getText()) ? textsOf(node.initializer) : [];
  if (ts.isCallExpression(node)) {
    if (node.expression.getText() === 'said') return textsOf(node.arguments[0]);
    // Looks up types only if there is a sentence at all.
    const texts = node.arguments.map((argument) => textsOf(argument).filter(isSentence));
    if (texts.flat().length === 0) return [];
    const parameters = checker.getResolvedSignature(node)?.getParameters() ?? [];
    return texts.flatMap((sentences, at) => (name.test(parameters[at]?.name ?? '') ? sentences : []));
  }
  // Written for models, but the error line of a card shows it to the user.
  if (
    ts.isNewExpression(node) &&
    ['ServerProblem', 'ToolError', 'UsageError'].includes(node.expression.getText())
  )
    return textsOf(node.arguments?.[0]).filter(isSentence);
  // The texts of a policy are all reasons.
  if (ts.isReturnStatement(node) && (folder === 'policy' || isOfReasons(node)))
    return textsOf(node.expression);
  const isWhole = (text: string): boolean => /^["{]?[A-Z0{].*\.$/.test(text);
  return ['core', 'models', 'doctor'].includes(folder) ? textsOf(node).filter(isWhole) : [];
}

/** Functions that build the texts about granted permissions, or about failed edits. */
const OF_REASONS = /^(?:grantText|problemOf|reason|wrongCount|nearest)$/;

function isOfReasons(node: ts.Node): boolean {
  return OF_REASONS.test(ts.findAncestor(node, ts.isFunctionDeclaration)?.name?.text ?? '');
}

/** Titles and details of calls that tools prepare. */
function titlesIn(node: ts.Node): readonly string[] {
  const isTitled = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node);
  return isTitled && node.name.getText() === 'title' ? textsOf(node.initializer).filter(isSentence) : [];
}

/** More than one word, which would be a code or a name. Text in brackets is part of texts for models. */
function isSentence(text: string): boolean {
  return /[a-z]{2,} | [a-z]{2,}/.test(text) && !text.startsWith('[');
}

const SHOWN_ATTRIBUTES = /^(?:aria-label|aria-description|title|placeholder|alt|label|summary)$/;
const SHOWN_PROPERTIES = /^(?:title|placeHolder|description|detail|prompt|tooltip)$/;
const SHOWING = /^(?:vscode\.)?(?:window\.)?(?:show\w+Message|setStatusBarMessage)$/;

function rawTexts(node: ts.Node): readonly string[] {
  if (ts.isJsxText(node)) return words([node.text.trim()]);
  if (ts.isJsxAttribute(node)) {
    const value = node.initializer;
    const shown = value && ts.isJsxExpression(value) ? value.expression : value;
    return SHOWN_ATTRIBUTES.test(node.name.getText()) ? words(textsOf(shown)) : [];
  }
  if (ts.isJsxExpression(node)) return ts.isJsxAttribute(node.parent) ? [] : words(textsOf(node.expression));
  if (ts.isPropertyAssignment(node))
    return SHOWN_PROPERTIES.test(node.name.getText()) ? words(textsOf(node.initializer)) : [];
  if (ts.isCallExpression(node) && SHOWING.test(node.expression.getText())) {
    return words(textsOf(node.arguments[0]));
  }
  return [];
}

/** Returns the texts that contain a word. */
function words(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => /\p{L}{2}/u.test(text.replace(/\{\d+\}/g, '')));
}

import { isComment, isProse, isTestFile, readHits, type Hit } from './results';
import { amount, code, list, sorry, type Task } from './task';

/** Lists where a name is defined, used and mentioned, file by file. */
export function* findUses(name: string): Task {
  const result = yield {
    say: `I search for ${name}.`,
    tool: 'search_text',
    arguments: { query: name, case_sensitive: true },
  };
  if (result.status !== 'success') return sorry(result);
  const hits = readHits(result).filter(({ text }) => holdsWord(text, name));
  if (hits.length === 0)
    return {
      text: `I found ${code(name)} nowhere in this workspace. Files that are ignored were not searched.`,
    };
  const inCode = hits.filter(({ path }) => !isProse(path));
  const defined = inCode.filter(({ text }) => isDefinition(text, name));
  const spoken = hits.filter((hit) => isProse(hit.path) || (isComment(hit.text) && !defined.includes(hit)));
  const used = hits.filter((hit) => !defined.includes(hit) && !spoken.includes(hit));
  const files = new Set(hits.map(({ path }) => path)).size;
  const isCut = /\d of them shown|At least|\[\d+ more in this file\]|\[Cut at/.test(result.result);
  return {
    text: [
      `${code(name)} occurs in ${isCut ? 'at least ' : ''}${amount(hits.length, 'line')} of ${amount(files, 'file')}.`,
      sentence('It is defined in', defined),
      sentence(
        'It is used in',
        used.filter(({ path }) => !isTestFile(path)),
      ),
      sentence(
        'Tests use it in',
        used.filter(({ path }) => isTestFile(path)),
      ),
      sentence('It is only mentioned in', spoken),
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** Whether a line defines a name, in one of the common languages. */
export function isDefinition(text: string, name: string): boolean {
  const plain = name.replace(/\W/g, '\\$&');
  return new RegExp(
    `\\b(?:function\\*?|def|func(?: \\([^)]*\\))?|fn|fun|class|interface|struct|enum|trait|type|module|namespace|mod|static) ${plain}(?!\\w)` +
      `|\\b(?:const|let|var|val) (?:mut )?${plain}(?!\\w)(?!.*\\brequire\\()`,
  ).test(text);
}

function holdsWord(text: string, name: string): boolean {
  const at = (index: number): string => text.charAt(index);
  for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
    const isWhole = !(/\w/.test(name.charAt(0)) && /\w/.test(at(from - 1)));
    if (isWhole && !(/\w$/.test(name) && /\w/.test(at(from + name.length)))) return true;
  }
  return false;
}

function sentence(beginning: string, hits: readonly Hit[]): string {
  if (hits.length === 0) return '';
  const byFile = new Map<string, number[]>();
  for (const { path, number } of hits) byFile.set(path, [...(byFile.get(path) ?? []), number]);
  const places = [...byFile].map(
    ([path, lines]) => `${code(path)} (line${lines.length === 1 ? '' : 's'} ${list(lines.map(String))})`,
  );
  return `${beginning} ${list(places)}.`;
}

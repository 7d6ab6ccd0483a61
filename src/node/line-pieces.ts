/** Cuts a text that comes in chunks into lines; one that is very long comes as several, so that all of it can be had. */
export class LinePieces {
  private open = '';

  constructor(private readonly most: number) {}

  /** The lines that the text completes. */
  push(text: string): string[] {
    const lines = (this.open + text).split('\n');
    const last = this.pieces(lines.pop() ?? '');
    this.open = last.pop() ?? '';
    return [...lines.flatMap((line) => this.pieces(withoutReturn(line))), ...last];
  }

  /** A last line without a line break. */
  end(): string[] {
    const rest = this.open;
    this.open = '';
    return rest === '' ? [] : [rest];
  }

  private pieces(line: string): string[] {
    if (line.length <= this.most) return [line];
    const pieces: string[] = [];
    for (let at = 0; at < line.length;) {
      let end = Math.min(at + this.most, line.length);
      // A pair of surrogates is one character.
      if (end < line.length && /[\ud800-\udbff]/.test(line.charAt(end - 1))) end--;
      pieces.push(line.slice(at, end));
      at = end;
    }
    return pieces;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

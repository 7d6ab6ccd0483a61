/** Lines in one box; a box that is full is never laid out again. */
const LINES_IN_BOX = 50;

/** A longer line goes on in the next element, or a file without line ends would be one growing text node. */
const LONGEST = 2000;

/**
 * Text that grows at its end, one element a line in boxes that the browser lays out on their own. Appending costs
 * as much as what is appended, however much is there already.
 */
export class LineBoxes {
  private box: HTMLElement | undefined;
  private linesInBox = 0;
  private line: Text | undefined;

  constructor(private readonly root: HTMLElement) {}

  append(text: string): void {
    let start = 0;
    while (start < text.length) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      this.extend(text.slice(start, end));
      if (newline < 0) return;
      this.line ??= this.startLine();
      this.line = undefined;
      start = newline + 1;
    }
  }

  private extend(text: string): void {
    let rest = text;
    while (rest !== '') {
      if ((this.line?.length ?? 0) >= LONGEST) this.line = undefined;
      this.line ??= this.startLine();
      const room = LONGEST - this.line.length;
      this.line.appendData(rest.slice(0, room));
      rest = rest.slice(room);
    }
  }

  private startLine(): Text {
    if (this.box === undefined || this.linesInBox === LINES_IN_BOX) {
      this.box = document.createElement('div');
      this.box.className = 'line-box';
      this.linesInBox = 0;
      this.root.append(this.box);
    }
    const element = document.createElement('div');
    element.className = 'line';
    const text = document.createTextNode('');
    element.append(text);
    this.box.append(element);
    this.linesInBox += 1;
    return text;
  }
}

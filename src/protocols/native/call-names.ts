import type { ToolSpec } from '../../core/words/tool';
import { findTool, isNameless } from '../engine/calls';

/** The names of native calls, which servers send in pieces, repeat, or decorate. */
export class CallNames {
  constructor(private readonly tools: readonly ToolSpec[] | undefined) {}

  /** The name after another piece of it: a part, or all of it so far. */
  joined(name: string, piece: string): string {
    if (isNameless(piece) || piece === name) return name;
    if (isNameless(name) || piece.startsWith(name)) return piece;
    return name + piece;
  }

  /** Whether a name may belong to a call that has one already. */
  mayJoin(
    name: string,
    piece: string,
    { isSameId, hasArguments }: { readonly isSameId: boolean; readonly hasArguments: boolean },
  ): boolean {
    if (piece === name || isNameless(name)) return true;
    if (hasArguments) return false;
    const whole = this.joined(name, piece);
    if (this.isTool(name)) return isSameId && !this.isTool(piece) && this.isTool(whole);
    return this.tools ? this.isBeginning(whole) : isSameId;
  }

  /**
   * The name as the tool has it. Some servers append their model's markers, put a name space before it, or put it into
   * the id.
   */
  clean({ id, name }: { readonly id: string; readonly name: string }): string {
    const bare = name.replace(/<[|/].*$/s, '').trim();
    if (isNameless(bare)) return KIMI_ID.exec(id)?.[1] ?? '';
    if (this.isTool(bare)) return bare;
    const [, inside] = NAME_SPACE.exec(bare) ?? [];
    const numbered = inside?.replace(/:\d+$/, '');
    return numbered === undefined || (this.tools && !this.isTool(numbered)) ? bare : numbered;
  }

  private isTool(name: string): boolean {
    return findTool(this.tools ?? [], name) !== undefined;
  }

  private isBeginning(name: string): boolean {
    const clean = this.clean({ id: '', name });
    return this.isTool(clean) || (this.tools ?? []).some((tool) => tool.name.startsWith(clean));
  }
}

/** Kimi's ids. */
const KIMI_ID = /^functions\.([\w-]+):\d+$/;
/** OpenAI's and Kimi's templates, Gemini's Python. */
const NAME_SPACE = /^(?:functions?|default_api|tools?|api|multi_tool_use)(?:\.|::?|\/)(.+)$/s;

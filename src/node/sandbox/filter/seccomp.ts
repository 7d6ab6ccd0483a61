import { callRules, type CallRule, type Condition } from './system-call-rules';
import { callNumber, type Architecture } from './system-calls';

/** `struct sock_filter` of Linux: the classic BPF that seccomp runs for each system call. */
interface Instruction {
  readonly code: number;
  /** How many instructions to skip if a comparison is true, and if it is false. */
  readonly ifTrue?: number;
  readonly ifFalse?: number;
  readonly value: number;
}

const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`; arguments have 64 bits, the lower half first. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const ARGUMENTS_AT = 16;

const ALLOW: Instruction = { code: RETURN, value: 0x7fff_0000 };
const KILL: Instruction = { code: RETURN, value: 0x8000_0000 };
const refuse = (error: number): Instruction => ({ code: RETURN, value: 0x0005_0000 | error });
const load = (value: number): Instruction => ({ code: LOAD, value });

/** `AUDIT_ARCH_…`: the kernel's system call table that a number belongs to. */
const AUDITED: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Calls of the x32 ABI have the same architecture as those of x64, and this bit set. */
const X32 = 0x4000_0000;
const ENOSYS = 38;

/** Whether there is a filter for this `process.arch`. */
export function hasFilter(architecture: string): architecture is Architecture {
  return Object.hasOwn(AUDITED, architecture);
}

/** Returns the filter for `bwrap --seccomp`. A call by the ABI of another architecture ends the process. */
export function seccompFilter(architecture: Architecture, rules = callRules): Buffer {
  const program: Instruction[] = [
    load(ARCHITECTURE_AT),
    { code: IF_EQUAL, value: AUDITED[architecture], ifTrue: 1 },
    KILL,
    load(NUMBER_AT),
  ];
  if (architecture === 'x64') program.push({ code: IF_AT_LEAST, value: X32, ifFalse: 1 }, refuse(ENOSYS));
  for (const rule of rules) {
    for (const call of rule.calls) {
      const number = callNumber(call, architecture);
      if (number !== undefined) program.push(...blockOf(number, rule));
    }
  }
  return Buffer.concat([...program, ALLOW].map(bytesOf));
}

/** At its beginning and end, the number of the call is loaded. */
function blockOf(number: number, { error, when = [] }: CallRule): readonly Instruction[] {
  // Built backwards, so that each condition knows the distance to the end of the block.
  let rest: readonly Instruction[] = [refuse(error)];
  for (const condition of when.toReversed()) rest = [...instructionsOf(condition, rest.length), ...rest];
  const body = when.length === 0 ? rest : [...rest, load(NUMBER_AT)];
  return [{ code: IF_EQUAL, value: number, ifFalse: body.length }, ...body];
}

/** Continues if the condition is true; otherwise skips the `toEnd` instructions after it. */
function instructionsOf(condition: Condition, toEnd: number): readonly Instruction[] {
  const argument = load(ARGUMENTS_AT + 8 * condition.argument);
  if ('hasAny' in condition) return [argument, { code: IF_ANY_BIT, value: condition.hasAny, ifFalse: toEnd }];
  const masked = condition.mask === undefined ? [argument] : [argument, { code: AND, value: condition.mask }];
  if ('isNoneOf' in condition) {
    const values = condition.isNoneOf;
    const comparisons = values.map((value, index) => ({
      code: IF_EQUAL,
      value,
      ifTrue: values.length - 1 - index + toEnd,
    }));
    return [...masked, ...comparisons];
  }
  const values = condition.isOneOf;
  const comparisons = values.map((value, index) => {
    const isLast = index === values.length - 1;
    return { code: IF_EQUAL, value, ifTrue: values.length - 1 - index, ifFalse: isLast ? toEnd : 0 };
  });
  return [...masked, ...comparisons];
}

function bytesOf({ code, ifTrue = 0, ifFalse = 0, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}

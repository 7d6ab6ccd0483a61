/**
 * JavaScript for the engine, run before the code that is asked for: gives it a `console`, and returns what turns a value
 * into text. It is handed a function that takes text out. What the code does to it harms nobody but that code.
 */
export const PRELUDE = `(print) => {
  const { stringify } = JSON;
  const name = (value) => value.name || 'anonymous';
  const plain = (value) => {
    switch (typeof value) {
      case 'bigint': return value + 'n';
      case 'function': return '[function ' + name(value) + ']';
      case 'symbol': return String(value);
      case 'undefined': return '[undefined]';
      case 'number': return Number.isFinite(value) ? value : '[' + value + ']';
      case 'object':
        if (value instanceof Error) return value.name + ': ' + value.message;
        if (value instanceof Map) return { Map: [...value] };
        if (value instanceof Set) return { Set: [...value] };
        if (value instanceof RegExp) return String(value);
        if (ArrayBuffer.isView(value) && 'length' in value) return Array.from(value);
        return value;
      default: return value;
    }
  };
  const json = (value, indent) => {
    const around = [];
    return stringify(value, function (key, given) {
      const inner = plain(given);
      if (typeof inner !== 'object' || inner === null) return inner;
      while (around.length > 0 && around[around.length - 1] !== this) around.pop();
      if (around.includes(inner)) return '[circular]';
      around.push(inner);
      return inner;
    }, indent);
  };
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return value.name + ': ' + value.message + (value.stack ? '\\n' + value.stack.trimEnd() : '');
    if (typeof value !== 'object' || value === null || value instanceof RegExp) {
      return typeof value === 'bigint' ? value + 'n' : typeof value === 'function' ? '[function ' + name(value) + ']' : String(value);
    }
    const line = json(value);
    return line !== undefined && line.length > 100 ? json(value, 2) : String(line);
  };
  const log = (...values) => { print(values.map(show).join(' ')); };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log, table: log, dir: log };
  return show;
}`;

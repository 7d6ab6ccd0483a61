const MARK = '[key]';

/** Keys of well-known services by their form, including the user's and others'. */
const SHAPES = new RegExp(
  [
    String.raw`\bsk-[A-Za-z0-9_-]{16,}`,
    String.raw`\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}`,
    String.raw`\bgithub_pat_[A-Za-z0-9_]{20,}`,
    String.raw`\bglpat-[A-Za-z0-9_-]{16,}`,
    String.raw`\bxox[abprs]-[A-Za-z0-9-]{10,}`,
    String.raw`\bhf_[A-Za-z0-9]{20,}`,
    String.raw`\bAIza[A-Za-z0-9_-]{30,}`,
    String.raw`\bAKIA[A-Z0-9]{16}\b`,
  ].join('|'),
  'g',
);

/** Whether the text contains a key of a well-known service. */
export function showsKey(text: string): boolean {
  return text.search(SHAPES) !== -1;
}

/** A shorter secret would remove ordinary words from the text. */
const SHORTEST = 4;

/**
 * The text without these secrets (plain, URL-encoded or in Base64) and without text that looks like a key. For
 * everything that is stored or shown: logs, errors, exports.
 */
export function redact(text: string, secrets: Iterable<string | undefined>): string {
  return secretForms(secrets)
    .reduce((rest, form) => rest.replaceAll(form, MARK), text)
    .replace(SHAPES, MARK);
}

/** The same data with all its texts redacted, including the names of fields. */
export function redactData(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactData(item, redactText));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactText(key), redactData(item, redactText)]),
  );
}

/** The forms of these secrets in a text: plain, in JSON, URL-encoded and in Base64. */
export function secretForms(secrets: Iterable<string | undefined>): readonly string[] {
  const forms = [...secrets].flatMap((secret) =>
    secret === undefined || secret.length < SHORTEST ? [] : formsOf(secret),
  );
  // The longest first: otherwise the rest of a longer form would stay.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function formsOf(secret: string): string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret));
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...base64Forms(bytes)];
}

/**
 * Base64 inside a longer text has a different form at each of three offsets; the outer characters depend on the
 * surroundings.
 */
function base64Forms(bytes: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = btoa('\0'.repeat(offset) + bytes);
    const end = encoded.replace(/=+$/, '').length - ((offset + bytes.length) % 3 === 0 ? 0 : 1);
    const core = encoded.slice(offset === 0 ? 0 : offset + 1, end);
    return core.length < SHORTEST * 2 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

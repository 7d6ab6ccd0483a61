type Bundle = Readonly<Record<string, string>>;

let bundle: Bundle | undefined;

/** The text in the user's language, with `{0}`, `{1}` … filled in. The English text is the key. */
export function t(english: string, ...values: readonly (string | number)[]): string {
  // Read once and kept here: the page's language cannot change while it is open.
  bundle ??= readBundle();
  const text = Object.hasOwn(bundle, english) ? (bundle[english] ?? english) : english;
  return text.replace(/\{(\d+)\}/g, (hole, index: string) => String(values[Number(index)] ?? hole));
}

/** The host puts the translations into the page; English needs none. */
function readBundle(): Bundle {
  const source = document.getElementById('l10n')?.textContent;
  // SAFETY: the host writes this element from a bundle of our own, which maps texts to texts.
  return source ? (JSON.parse(source) as Bundle) : {};
}

/**
 * Reduces an id or a heading to its letters and digits. Frameworks generate ids in different ways
 * (`oauth-20`, `oauth-2-0`, `_1-setup`, `1-setup`), and some use two ways at once. The reduced form
 * is the same in all of them.
 */
export function foldAnchor(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

/** Reduces an id or a heading in the same way, for frameworks that remove non-ASCII characters. */
export function foldAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase()
}

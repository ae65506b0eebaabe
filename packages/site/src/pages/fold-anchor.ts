/**
 * Reduces an id or a heading to its letters and digits. Frameworks generate ids in different ways
 * (`oauth-20`, `oauth-2-0`, `_1-setup`, `1-setup`), and some in two ways for the same heading. The
 * reduced form is always the same.
 */
export function foldAnchor(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

/**
 * Reduces a heading to its ASCII letters and digits, for frameworks that remove all other characters
 * from ids. Anchors of links are not reduced: all headings without ASCII letters have the same form.
 */
export function foldAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase()
}

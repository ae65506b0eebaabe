/**
 * The letters and digits of an id or a heading. Frameworks make ids in different ways (`oauth-20`, `oauth-2-0`, `_1-setup`, `1-setup`), and some
 * in two at once; what is left here is the same in all of them.
 */
export function foldAnchor(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

/** The same for frameworks that leave out what is not ASCII. */
export function foldAscii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase()
}

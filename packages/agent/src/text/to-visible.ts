import { LOOK_ALIKES } from './look-alikes.ts'

const PLAIN = /^[\t\n\r\x20-\x7e]*$/
/** Combining marks, and characters that have no glyph of their own. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|(?![\t\n\r])\p{Cc}/gu
const WIDE = /[^\0-\x7f]/gu

/**
 * Returns the characters that a reader sees: without invisible characters and accents, in their
 * normal form, and with the ASCII letter for each letter that looks like it.
 */
export function toVisible(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(WIDE, (char) => LOOK_ALIKES.get(char) ?? char)
}

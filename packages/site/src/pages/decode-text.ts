import { decodeNamedCharacterReference } from 'decode-named-character-reference'

/**
 * Resolves backslash escapes and character references in Markdown text. Unknown references are left
 * unchanged.
 */
export function decodeMarkdown(text: string): string {
  return decodeReferences(text.replace(/\\([!-/:-@[-`{-~])/g, '$1'))
}

/** Resolves character references. */
export function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,30}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return decodeNamedCharacterReference(name) || whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\uFFFD'
    },
  )
}

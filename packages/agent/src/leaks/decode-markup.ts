const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lbrace: '{',
  rbrace: '}',
  lowbar: '_',
  shy: '',
}
const MARKS = /[<&%\\=*[({]|["'`]\s*\+|\bdot\b|\/\/\d/

/**
 * Removes tags and comments between words, and decodes entities, percent encoding, quoted-printable
 * characters, and the escapes of string literals. Joins concatenated literals, and writes the dots of
 * names and addresses in their usual form.
 */
export function decodeMarkup(text: string): string {
  if (!MARKS.test(text)) return text
  return joinNames(decodeEscapes(text.replace(/<\/?[a-z][^<>]{0,300}>|\/\*[^*]{0,200}\*\//gi, ' ')))
}

function decodeEscapes(text: string): string {
  return text
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi,
      (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
        return toChar(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      },
    )
    .replace(/(?:[%=][0-9A-F]{2})+|(?:%[0-9a-f]{2})+/g, (whole) =>
      Buffer.from(whole.replace(/[%=]/g, ''), 'hex').toString('utf8'),
    )
    .replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, ...codes: (string | undefined)[]) =>
      toChar(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16)),
    )
    .replace(/\\([0-3][0-7]{2})/g, (_, code: string) => toChar(Number.parseInt(code, 8)))
    .replace(/\\[nrt]/g, ' ')
}

function joinNames(text: string): string {
  return text
    .replace(/["'`]\s{0,4}\+\s{0,4}["'`]/g, '')
    .replace(/\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/gi, '.')
    .replace(/(?<=\w) dot (?=\w)/gi, '.')
    .replace(/\/\/(\d{8,10})(?!\w|\.)/g, (whole, digits: string) => {
      const address = Number(digits)
      return address > 0xffffffff ? whole : `//${[24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')}`
    })
}

function toChar(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
}

import { decodeNamedCharacterReference } from 'decode-named-character-reference'

const ENTITY = /&(?:#x([0-9a-f]{1,6});?|#(\d{1,7});?|([a-z][a-z0-9]{1,31});|(shy|nbsp|lt|gt|amp|quot))/gi

/** Decodes the character references of HTML. Browsers also decode some of them without a semicolon. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string, legacy?: string) => {
    if (hex !== undefined) return toChar(Number.parseInt(hex, 16))
    if (decimal !== undefined) return toChar(Number(decimal))
    const found = decodeNamedCharacterReference(name ?? legacy ?? '')
    return found === false ? whole : found
  })
}

/** Decodes percent encoding, quoted-printable characters, and the escapes of string literals. */
export function decodeEscapes(text: string): string {
  if (!/[%=\\]/.test(text)) return text
  return text
    .replace(/(?:[%=][0-9A-F]{2})+|(?:%[0-9a-f]{2})+/g, (whole) =>
      Buffer.from(whole.replace(/[%=]/g, ''), 'hex').toString('utf8'),
    )
    .replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (_, ...codes: (string | undefined)[]) =>
      toChar(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16)),
    )
    .replace(/\\([0-3][0-7]{2})/g, (_, code: string) => toChar(Number.parseInt(code, 8)))
    .replace(/\\[nrt]/g, ' ')
}

/** Joins concatenated string literals, and writes the dots of names and addresses in their usual form. */
export function joinNames(text: string): string {
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

/** Minimum length. Encoded forms of shorter credentials could match ordinary text by chance. */
const MIN_CHARS = 16

/**
 * Returns only the letters and digits, which are unaffected if text is split, spaced, quoted or
 * mixed with invisible characters.
 */
export function squeeze(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '')
}

/**
 * Returns the forms of a credential that squeezed text may contain: plain, reversed, ROT13,
 * hexadecimal and Base64 at each of its three alignments. The list cannot be complete, because text
 * can be encrypted. It catches accidents and simple tricks. The actual protection is that no tool
 * can read credentials.
 */
export function toCredentialForms(credential: string): string[] {
  const plain = squeeze(credential)
  if (plain.length < MIN_CHARS) return []
  const bytes = Buffer.from(credential)
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/(?<!=)=+$/, '')
    // The first and the last characters depend on the surrounding text.
    return squeeze(text.slice(shift === 0 ? 0 : shift + 1, -2))
  })
  const reversed = [...plain].reverse().join('')
  return [
    ...new Set([plain, reversed, rot13(plain), bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...base64]),
  ]
}

function rot13(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

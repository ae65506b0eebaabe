/**
 * Names that Windows reserves for devices, with any extension
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³])$/
const FORBIDDEN = /[<>:"|?*\\]/
/** The short form of a longer name, such as `GIT~1` for `.git`, which Windows treats as equal. */
const SHORT = /^[^.]{1,6}~\d{1,2}(?:\.[^.]{0,3})?$/
const MAX_NAME_BYTES = 255

/**
 * Returns the first part of a path that Windows or macOS cannot check out or reads as another name,
 * and why, or null. The reason is the rest of a sentence.
 */
export function findUnportableName(path: string): { readonly folder: string; readonly reason: string } | null {
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    const reason = explain(name)
    if (reason !== null) return { folder: parts.slice(0, index + 1).join('/'), reason }
  }
  return null
}

function explain(name: string): string | null {
  const folded = name.normalize('NFKC').toLowerCase()
  const shown = JSON.stringify(name)
  if (/[. ]$/.test(folded)) return `${shown} ends with a dot or a space`
  if (FORBIDDEN.test(name)) return `${shown} contains one of < > : " | ? * \\`
  if (DEVICE.test((folded.split('.')[0] ?? '').trimEnd())) return `${shown} is reserved for a device`
  if (SHORT.test(folded)) return `${shown} is the short form of a longer name`
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `${shown.slice(0, 40)}… is longer than ${MAX_NAME_BYTES} bytes`
  return null
}

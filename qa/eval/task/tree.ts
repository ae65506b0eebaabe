/** A repository's text files: path → content, with byte order mark and line ends. */
export type Tree = ReadonlyMap<string, string>

/** Bytes that are not UTF-8 come out as replacement characters; nothing is written back from here. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const toText = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Line ends read as LF, without the byte order mark. */
export const toPlain = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

/** Lines with their ends, so that joining them gives the text back. */
export const toRawLines = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

export const countText = (text: string, wanted: string): number => text.split(wanted).length - 1

/** Paths that one tree has and the other has not, or has differently; sorted. */
export function listChanged(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}

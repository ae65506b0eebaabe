/** A repository's text files by path, with their byte order marks and original line endings. */
export type Tree = ReadonlyMap<string, string>

/** Replaces invalid UTF-8 with replacement characters. The result is never written back. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const toText = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Converts line endings to LF and removes the byte order mark. */
export const toPlain = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

/** Splits text into lines with their line endings. Joining the lines returns the text. */
export const toRawLines = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

export const countText = (text: string, wanted: string): number => text.split(wanted).length - 1

/** Returns the paths whose presence or content differs between the trees, sorted. */
export function listChanged(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort()
}

import { readTree } from './read-tree.ts'

/** Beside `src` and `dist`, so that the same path leads there from both. */
const FOLDER = new URL('../../sample-docs/tidewater/', import.meta.url)

/**
 * The documentation repository of an invented product: about forty MDX pages with navigation, images and rules for writing.
 * Paths to contents, as createRepository takes them.
 */
export function readSampleDocs(): Map<string, { data: string }> {
  return new Map(Object.entries(readTree(FOLDER)).map(([path, data]) => [path, { data }]))
}

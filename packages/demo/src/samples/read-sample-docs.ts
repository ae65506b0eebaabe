import { readTree } from './read-tree.ts'

/** A sibling of `src` and `dist`, so that the same path works from both. */
const FOLDER = new URL('../../sample-docs/tidewater/', import.meta.url)

/**
 * Reads the documentation repository of a fictional product, which has about forty MDX pages with
 * navigation, images and writing rules. Returns file contents keyed by path, in the format that
 * createRepository accepts.
 */
export function readSampleDocs(): Map<string, { data: string }> {
  return new Map(Object.entries(readTree(FOLDER)).map(([path, data]) => [path, { data }]))
}

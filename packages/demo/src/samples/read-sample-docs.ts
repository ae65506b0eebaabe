import { PLANTED_MISTAKES } from './planted-mistakes.ts'
import { readTree } from './read-tree.ts'

/** A sibling of `src` and `dist`, so that the same path works from both. */
const FOLDER = new URL('../../sample-docs/tidewater/', import.meta.url)

/**
 * Reads the documentation repository of a fictional product, which has about forty MDX pages with
 * navigation, images and writing rules. Returns file contents keyed by path, in the format that
 * createRepository accepts.
 * @param options.mistakes true for the demo's version, which contains the planted mistakes
 * @throws Error if a file does not contain the text that a mistake replaces exactly once
 */
export function readSampleDocs({ mistakes = false } = {}): Map<string, { data: string }> {
  const files = new Map(Object.entries(readTree(FOLDER)).map(([path, data]) => [path, { data }]))
  for (const { path, right, wrong } of mistakes ? PLANTED_MISTAKES : []) {
    const parts = files.get(path)?.data.split(right) ?? []
    if (parts.length !== 2) throw new Error(`${path} does not contain "${right}" exactly once.`)
    files.set(path, { data: parts.join(wrong) })
  }
  return files
}

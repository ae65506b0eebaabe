import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Reads the text files below a folder. Returns their contents keyed by relative path (with `/`),
 * sorted by path.
 */
export function readTree(folder: URL): Record<string, string> {
  const root = fileURLToPath(folder)
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  const toEntry = (path: string) => [relative(root, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')] as const
  return Object.fromEntries(paths.sort().map(toEntry))
}

import { buildGlob } from '@corrigenda/git/text'

/** Returns a function that matches the paths of a source's files that a job may read. */
export function buildPathFilter(paths: readonly string[]): (path: string) => boolean {
  if (paths.length === 0) return () => true
  const matches = buildGlob(paths, { ignoreCase: true })
  return (path) => matches(path.normalize('NFKC'))
}

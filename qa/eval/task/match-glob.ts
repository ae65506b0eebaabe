/**
 * Builds a matcher for `*` within a folder, `**` across folders, and `{a,b}`. A plain path matches
 * itself.
 */
export function buildMatcher(glob: string): (path: string) => boolean {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`)
    .replaceAll('**/', '\u0000')
    .replaceAll('**', '\u0001')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?')
    .replaceAll('\u0001', '.*')
  const pattern = new RegExp(`^${source}$`)
  return (path) => pattern.test(path)
}

/** Patterns of a project, by what they say. */
export interface SplitWritable {
  /** Name files or an ending: allow exactly what they match. */
  readonly exact: readonly string[]
  /** Name folders: keep to the documentation within. */
  readonly within: readonly string[]
}

/**
 * Tells the patterns of `writable` apart. `docs/**` means the documentation in docs and not the code beside it; who wants more says so with an ending
 * (`snippets/**` + `/*.yaml`) or a name (`docs/Caddyfile`).
 */
export function splitWritable(globs: readonly string[]): SplitWritable {
  const exact = globs.filter(namesFiles)
  return { exact, within: globs.filter((glob) => !exact.includes(glob)) }
}

function namesFiles(glob: string): boolean {
  // A choice between folders cannot be taken apart at its last slash.
  if (/\{[^}]*\//.test(glob)) return false
  const last = glob.split('/').at(-1) ?? ''
  const isName = last !== '' && !/[*?[\]]/.test(last)
  return isName || /\.[A-Za-z0-9_{},-]*[A-Za-z0-9][A-Za-z0-9_{},-]*$/.test(last)
}

/** A project's patterns, grouped by meaning. */
export interface SplitWritable {
  /** Patterns that name files or an extension. They allow exactly the paths they match. */
  readonly exact: readonly string[]
  /** Patterns that name folders. They restrict writes to the documentation in them. */
  readonly within: readonly string[]
}

/**
 * Splits the `writable` patterns. `docs/**` selects the documentation in `docs`, but not the
 * code there. To allow more, a project adds an extension (`snippets/**` + `/*.yaml`) or a name
 * (`docs/Caddyfile`).
 */
export function splitWritable(globs: readonly string[]): SplitWritable {
  const exact = globs.filter(namesFiles)
  return { exact, within: globs.filter((glob) => !exact.includes(glob)) }
}

function namesFiles(glob: string): boolean {
  // A pattern with braces that contain a slash cannot be split at its last slash.
  if (/\{[^{}]*\//.test(glob)) return false
  const last = glob.split('/').at(-1) ?? ''
  const isName = last !== '' && !/[*?[\]]/.test(last)
  return isName || /\.(?![_{},-]*$)[A-Za-z0-9_{},-]+$/.test(last)
}

import type { ConfigFile } from '../config/config-files.ts'
import { findProperty, type Literal } from '../config/literal.ts'

/** Returns the first `redirects` property in a file's literals that passes the test. */
export function searchRedirects(file: ConfigFile, test: (literal: Literal) => boolean): Literal | null {
  const open: Literal[] = [...file.roots]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at.kind === 'object') {
      const redirects = findProperty(at, 'redirects')
      if (redirects !== null && test(redirects)) return redirects
      open.push(...at.properties.map(({ value }) => value))
    } else if (at.kind === 'array') open.push(...at.items)
    else if (at.kind === 'call') open.push(...at.args)
  }
  return null
}

import type { ConfigFile } from '../config/config-files.ts'
import { findProperty, type Literal } from '../config/literal.ts'

/** Returns the first `redirects` property in a file's literals that passes the test. */
export function searchRedirects(file: ConfigFile, test: (literal: Literal) => boolean): Literal | null {
  const open: Literal[] = [...file.roots]
  // The loop also visits the parts that it adds.
  for (const at of open) {
    if (at.kind === 'object') {
      const redirects = findProperty(at, 'redirects')
      if (redirects !== null && test(redirects)) return redirects
      for (const { value } of at.properties) open.push(value)
    } else if (at.kind === 'array') for (const item of at.items) open.push(item)
    else if (at.kind === 'call') for (const arg of at.args) open.push(arg)
  }
  return null
}

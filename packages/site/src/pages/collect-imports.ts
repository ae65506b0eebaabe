import type { ParserEvent } from './parser-event.ts'

/** A named import from a file of the repository. */
export interface NamedImport {
  readonly href: string
  readonly name: string
  /** 1-based. */
  readonly line: number
}

const IMPORT =
  /^import[ \t]{1,20}(?:[\w$]{1,100}[ \t]{0,20},[ \t]{0,20})?\{([^{}'"]{0,2000})\}\s{0,20}from[ \t]{0,20}["']((?:\.{1,2}|[@~][\w-]{0,100}|\/snippets)\/[^"'\n?#!]{1,500})["']/gm
const MAX_IMPORTS = 500

/** Returns the named imports of an MDX page. */
export function collectImports(events: readonly ParserEvent[]): NamedImport[] {
  const found: NamedImport[] = []
  for (const [when, token, context] of events) {
    // MDX adds token types.
    const type: string = token.type
    if (when === 'exit' || type !== 'mdxjsEsm') continue
    const code = context.sliceSerialize(token)
    for (const { index, 1: names = '', 2: href = '' } of code.matchAll(IMPORT)) {
      const line = token.start.line + code.slice(0, index).split('\n').length - 1
      for (const part of names.replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g, '').split(',')) {
        const name = /^([A-Za-z_$][\w$]*)(?:\s+as\s+[\w$]+)?$/.exec(part.trim())?.[1]
        if (name !== undefined && found.length < MAX_IMPORTS) found.push({ href, name, line })
      }
    }
  }
  return found
}

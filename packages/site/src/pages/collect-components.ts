import type { ParserEvent } from './parser-event.ts'

/** A component that a page uses and neither imports nor defines. */
export interface PageComponent {
  /** The first part of the tag's name: `Tabs` for `<Tabs.Tab>`. */
  readonly name: string
  /** 1-based line of the first tag. */
  readonly line: number
}

const MAX_COMPONENTS = 500
const WORD = /[A-Za-z_$][\w$]*/g

/**
 * Returns the components in a page's tags that its imports and exports do not mention. Omits tags in
 * expressions, whose names may be parameters.
 */
export function collectComponents(events: readonly ParserEvent[]): PageComponent[] {
  const lines = new Map<string, number>()
  const defined = new Set<string>()
  for (const [when, token, context] of events) {
    if (when === 'exit') continue
    // MDX adds token types.
    const type: string = token.type
    if (type === 'mdxjsEsm') for (const [word] of context.sliceSerialize(token).matchAll(WORD)) defined.add(word)
    else if (type === 'mdxJsxFlowTagNamePrimary' || type === 'mdxJsxTextTagNamePrimary') {
      const name = context.sliceSerialize(token)
      if (/^[A-Z]/.test(name) && !lines.has(name) && lines.size < MAX_COMPONENTS) lines.set(name, token.start.line)
    }
  }
  return [...lines].flatMap(([name, line]) => (defined.has(name) ? [] : [{ name, line }]))
}

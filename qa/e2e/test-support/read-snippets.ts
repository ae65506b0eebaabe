/** A code block of a Markdown page. */
interface Snippet {
  /** The heading above it. */
  readonly section: string
  readonly language: string
  readonly code: string
}

/** Returns the code blocks of a page in order. */
export function readSnippets(markdown: string): Snippet[] {
  const blocks = markdown.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)
  let section = ''
  return [...blocks].flatMap(([, heading, language = '', code = '']) => {
    if (heading !== undefined) section = heading
    return heading === undefined ? [{ section, language, code }] : []
  })
}

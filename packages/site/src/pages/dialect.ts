/** What a file is read as: a dialect, or a component that pages import. */
export type FileKind = Dialect | 'component'

/**
 * A Markdown file's dialect: MDX, MDX with HTML comments and directives, plain Markdown with HTML, or
 * plain Markdown that becomes a Vue template.
 */
export type Dialect = 'mdx' | 'mdx-directives' | 'plain' | 'vue'

export function isMdx(dialect: Dialect): boolean {
  return dialect === 'mdx' || dialect === 'mdx-directives'
}

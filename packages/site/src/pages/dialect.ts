/**
 * What a file is read as: a dialect, a component that pages import, or a template of a shortcode.
 */
export type FileKind = Dialect | 'component' | 'shortcode'

/**
 * A Markdown file's dialect: MDX, MDX with HTML comments and directives, plain Markdown with HTML,
 * plain Markdown that becomes a Vue template, or the same with formulas between dollar signs.
 */
export type Dialect = 'mdx' | 'mdx-directives' | 'plain' | 'vue' | 'vue-math'

export function isVue(dialect: FileKind): dialect is 'vue' | 'vue-math' {
  return dialect === 'vue' || dialect === 'vue-math'
}

export function isMdx(dialect: Dialect): boolean {
  return dialect === 'mdx' || dialect === 'mdx-directives'
}

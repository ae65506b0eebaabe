/**
 * What a file is read as: a dialect, a component that pages import, or a template of a shortcode.
 */
export type FileKind = Dialect | 'component' | 'shortcode'

/**
 * The syntax of a Markdown file: MDX, MDX with directives (`:::note`), the same with HTML comments,
 * plain Markdown with HTML, the same with directives, or plain Markdown that becomes a Vue template.
 */
type Syntax = 'mdx' | 'mdx-directives' | 'mdx-comments' | 'plain' | 'plain-directives' | 'vue'

/** A syntax, with or without formulas between dollar signs. */
export type Dialect = Syntax | `${Syntax}+math`

export const isVue = (dialect: FileKind): dialect is 'vue' | 'vue+math' => dialect.startsWith('vue')

export const isMdx = (dialect: Dialect): boolean => dialect.startsWith('mdx')

export const isPlain = (dialect: Dialect): boolean => dialect.startsWith('plain')

export const hasDirectives = (dialect: Dialect): boolean => /-(?:directives|comments)/.test(dialect)

export const hasComments = (dialect: Dialect): boolean => dialect.startsWith('mdx-comments')

export const hasMath = (dialect: Dialect): boolean => dialect.endsWith('+math')

/** Returns the dialect with or without formulas. */
export const toMath = (dialect: Dialect, isMath: boolean): Dialect => {
  const syntax = dialect.replace('+math', '') as Syntax
  return isMath ? `${syntax}+math` : syntax
}

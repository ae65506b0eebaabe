/**
 * A Markdown file's dialect: MDX, MDX with HTML comments and directives, or plain Markdown with
 * HTML.
 */
export type Dialect = 'mdx' | 'mdx-directives' | 'plain'

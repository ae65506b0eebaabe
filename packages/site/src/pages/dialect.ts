/** How a Markdown file is parsed: MDX, MDX that also takes HTML comments and directives, or plain Markdown with HTML. */
export type Dialect = 'mdx' | 'mdx-directives' | 'plain'

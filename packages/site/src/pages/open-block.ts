/**
 * A notation for blocks that need an end: `:::note` of Docusaurus, Starlight, VitePress and MyST,
 * `/// note` of PyMdown Blocks, `{% hint %}` of GitBook, `{{% alert %}}` of Hugo. The content of
 * `!!! note` of MkDocs is indented.
 */
export type BlockForm = 'colons' | 'slashes' | 'tags' | 'shortcodes' | 'indent'

/** A block without an end, an end without a block, or a block without content for `indent`. */
export interface OpenBlock {
  readonly form: BlockForm
  /** As written, such as `:::note`. The name for `shortcodes`. Empty for an end without a block. */
  readonly name: string
  /** 1-based. */
  readonly line: number
  /** The line to add or remove. Empty for `indent`. */
  readonly end: string
}

/**
 * A notation for including a file: `comment` and `code` of VitePress, `scissors` of PyMdown
 * Snippets, `braces` of mdBook, `block` of GitBook, `snippet` of Mintlify, `directive` of MyST,
 * `readfile` of Docsy (Hugo), and `shortcode`, which names a template of Hugo.
 */
export type IncludeForm =
  | 'comment'
  | 'code'
  | 'scissors'
  | 'braces'
  | 'block'
  | 'snippet'
  | 'directive'
  | 'readfile'
  | 'shortcode'

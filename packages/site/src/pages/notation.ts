/**
 * A notation for a reference to a file that is neither a Markdown link nor a tag. Only some frameworks
 * read each of them, and they resolve it by their own rules.
 *
 * Links: `front` in the front matter of VitePress and Starlight, `document` for ids in the front
 * matter of Docusaurus, `tag` for blocks of GitBook such as `{% file %}`, `figure` and `ref` for
 * shortcodes of Hugo, `doc` and `label` for roles of MyST, and `asset` for its images and downloads.
 *
 * Includes: `comment` and `code` of VitePress, `scissors` of PyMdown Snippets, `braces` of mdBook,
 * `block` of GitBook, `snippet` of Mintlify, `directive` of MyST, `readfile` of Docsy (Hugo), and
 * `shortcode`, which names a template of Hugo.
 */
export type Notation =
  | 'front'
  | 'document'
  | 'tag'
  | 'figure'
  | 'ref'
  | 'doc'
  | 'label'
  | 'asset'
  | 'comment'
  | 'code'
  | 'scissors'
  | 'braces'
  | 'block'
  | 'snippet'
  | 'directive'
  | 'readfile'
  | 'shortcode'

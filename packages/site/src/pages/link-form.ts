/**
 * A notation for links that only some frameworks read. `front`: front matter of VitePress and
 * Starlight. `document`: the id of a document in the front matter of Docusaurus. `tag`: attributes
 * of `{% file %}` and other blocks of GitBook. `figure`: the shortcode of Hugo. `directive`: images
 * and files of MyST.
 */
export type LinkForm = 'front' | 'document' | 'tag' | 'figure' | 'directive'

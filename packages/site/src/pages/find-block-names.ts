const SUMMARY = /<summary[^<>\n]{0,200}>((?:[^<]|<(?!\/?summary)){1,2000})<\/summary>/gi
const TAB = /\{%[ \t]{0,9}tab[ \t]{1,9}title="([^"\n]{1,300})"/g
const TAG = /<\/?[a-z][^<>]{0,500}>/gi

/**
 * Returns the titles of expandable blocks and tabs in plain Markdown, whose ids GitBook creates.
 */
export function findBlockNames(text: string): string[] {
  return [...text.matchAll(SUMMARY), ...text.matchAll(TAB)].map(([, title = '']) => title.replace(TAG, '').trim())
}

/** Returns other forms of a name. GitBook writes `and` for `&`, and starts ids with a letter. */
export function toOtherNames(name: string): string[] {
  const words = name.replaceAll('&', ' and ')
  const forms = /^\s{0,5}\d/.test(words) ? [words, `id ${words}`] : [words]
  return forms.filter((form) => form !== name)
}

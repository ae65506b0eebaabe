/** Length of the text between two `<`. */
const MAX_CHARS = 20_000

/**
 * Returns true if a template may contain a tag that Vue's compiler reads slowly, because it compares
 * each attribute of a tag with all others.
 */
export function hasLongTag(template: string): boolean {
  return template.split('<').some((part) => part.length >= MAX_CHARS)
}

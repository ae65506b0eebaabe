/**
 * Returns the normalized name of a project or a key: trimmed, 1 to 100 characters.
 * @param what kind of object, such as `project`
 * @throws Error that states the rule
 */
export function toName(text: string, what: string): string {
  const name = text.trim()
  if (name === '' || name.length > 100) throw new Error(`A ${what} needs a name of 1 to 100 characters.`)
  return name
}

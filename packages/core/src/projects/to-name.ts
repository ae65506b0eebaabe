/**
 * Returns a trimmed project or key name of 1 to 100 characters.
 * @param what kind of object, such as `project`
 * @throws Error when the name is empty or too long
 */
export function toName(text: string, what: string): string {
  const name = text.trim()
  if (name === '' || name.length > 100) throw new Error(`A ${what} name must have 1 to 100 characters.`)
  return name
}

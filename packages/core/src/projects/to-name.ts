/**
 * The name of a project or a key as it is kept: trimmed, 1 to 100 characters.
 * @param what what is named, such as `project`
 * @throws Error that says the rule
 */
export function toName(text: string, what: string): string {
  const name = text.trim()
  if (name === '' || name.length > 100) throw new Error(`A ${what} needs a name of 1 to 100 characters.`)
  return name
}

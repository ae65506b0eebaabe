const MARKS = /^[\s│├└─|`>+*-]*/
const NAME = /^[\w@.-][\w@. -]*$/

/**
 * Builds a function that reads a drawing of folders and files line by line, and returns the path of
 * the file or folder on each line, or null for another line.
 */
export function buildTreeReader(): (line: string) => string | null {
  let folders: { depth: number; name: string }[] = []
  return (line) => {
    const [marks = ''] = MARKS.exec(line) ?? []
    const row = line.slice(marks.length)
    // A comment follows after two spaces or after a number sign.
    const end = row.search(/\s[\s#]/)
    const name = (end === -1 ? row : row.slice(0, end)).replace(/\/$/, '')
    if (!NAME.test(name)) {
      folders = []
      return null
    }
    folders = [...folders.filter(({ depth }) => depth < marks.length), { depth: marks.length, name }].slice(-20)
    return folders.length < 2 ? null : folders.map((folder) => folder.name).join('/')
  }
}

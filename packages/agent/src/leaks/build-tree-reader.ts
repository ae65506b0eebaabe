const ROW = /^([\s│├└─|`>+*-]*)([\w@.-][\w@. -]*?)\/?(?:\s{2,}.*|\s+#.*)?$/

/**
 * Builds a function that reads a drawing of folders and files line by line, and returns the path of
 * the file or folder on each line, or null for another line.
 */
export function buildTreeReader(): (line: string) => string | null {
  let folders: { depth: number; name: string }[] = []
  return (line) => {
    const [, marks, name] = ROW.exec(line.slice(0, 300)) ?? []
    if (marks === undefined || name === undefined) {
      folders = []
      return null
    }
    folders = [...folders.filter(({ depth }) => depth < marks.length), { depth: marks.length, name }].slice(-20)
    return folders.length < 2 ? null : folders.map((folder) => folder.name).join('/')
  }
}

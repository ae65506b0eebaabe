export interface ReadmeCommand {
  /** Line number in the file. */
  readonly line: number
  /** The command without its comment. Continued lines are joined. */
  readonly text: string
  /** The comment after the command. Empty if it has no comment. */
  readonly comment: string
}

const SHELLS = new Set(['sh', 'bash', 'shell', 'console'])

/**
 * Returns the commands from all shell blocks of a Markdown file, in order.
 * @throws Error if a code block has no language, because it could contain commands
 */
export function readCommands(markdown: string): ReadmeCommand[] {
  const commands: ReadmeCommand[] = []
  let language: string | null = null
  let open: { line: number; parts: string[] } | null = null
  for (const [index, row] of markdown.split('\n').entries()) {
    const fence = /^\s*```\s*(\S*)/.exec(row)
    if (fence !== null) {
      if (language === null && fence[1] === '') throw new Error(`Line ${index + 1}: the code block has no language.`)
      language = language === null ? (fence[1] ?? '') : null
      continue
    }
    if (language === null || !SHELLS.has(language) || /^\s*(#|$)/.test(row)) continue
    const [, part = '', comment = ''] = /^\s*(.*?)(?:\s+#\s+(.*))?$/.exec(row) ?? []
    open ??= { line: index + 1, parts: [] }
    open.parts.push(part.replace(/\s*\\$/, ''))
    if (part.endsWith('\\')) continue
    commands.push({ line: open.line, text: open.parts.join(' '), comment })
    open = null
  }
  return commands
}

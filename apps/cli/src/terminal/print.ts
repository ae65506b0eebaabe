import type { Writable } from 'node:stream'

/** Prints a command's answer: with `--json` exactly one JSON document, else lines for people. */
export function printAnswer(
  { stdout }: { readonly stdout: Writable },
  json: boolean | undefined,
  answer: unknown,
  lines: readonly string[],
): void {
  stdout.write(json ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`)
}

/** Rows as aligned columns; the first row is the heading. */
export function toTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Text from a repository or a model must not steer the terminal: every control character but the tab becomes a dot, line breaks too. */
export const toPrintable = (text: string): string => text.replace(/[^\P{Cc}\t]/gu, '\u00b7')

import type { Writable } from 'node:stream'

/** Prints a command's result: exactly one JSON document with `--json`, otherwise lines of text. */
export function printAnswer(
  { stdout }: { readonly stdout: Writable },
  json: boolean | undefined,
  answer: unknown,
  lines: readonly string[],
): void {
  stdout.write(json ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`)
}

/** Formats rows as aligned columns. The first row is the heading. */
export function toTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/**
 * Replaces every control character except tabs, including line breaks, with a dot. Text from a
 * repository or a model must not control the terminal.
 */
export const toPrintable = (text: string): string => text.replace(/[^\P{Cc}\t]/gu, '\u00b7')

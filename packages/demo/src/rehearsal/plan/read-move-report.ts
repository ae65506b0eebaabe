/** The rewrites that the `move` tool reports. */
export interface MoveReport {
  links: number
  navigation: string[]
  left: string[]
}

/**
 * Parses the report. Returns null if the tool only moved the file and did not handle links or
 * navigation.
 */
export function readMoveReport(text: string): MoveReport | null {
  const rows = text.split('\n').slice(1)
  const start = rows.findIndex((row) => row.startsWith('Not rewritten'))
  const end = rows.findIndex((row) => row.startsWith('New issues:'))
  const reported = rows.slice(0, start === -1 ? undefined : start)
  const rewrote = reported.map((row) => /^Rewrote (\d+) links? in /.exec(row)?.[1]).find((count) => count !== undefined)
  const navigation = reported.filter((row) => /^(?:Renamed \d+ navigation|Added a redirect) /.test(row))
  if (
    rewrote === undefined &&
    navigation.length === 0 &&
    start === -1 &&
    !reported.some((row) => /^No link /.test(row))
  ) {
    return null
  }
  const left = start === -1 ? [] : rows.slice(start + 1, end > start ? end : undefined)
  return { links: Number(rewrote ?? 0), navigation, left }
}

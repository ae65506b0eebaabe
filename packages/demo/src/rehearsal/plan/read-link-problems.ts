/** A broken link in a page, or a navigation entry whose page is missing. */
export interface LinkProblem {
  kind: 'link' | 'navigation'
  path: string
  target: string
}

/**
 * Reads broken links from the output of `check_docs`. A row counts if it names a file, states that
 * a link or page is broken or missing, and contains the target in quotes, backticks or brackets.
 * Rows about anchors are skipped.
 */
export function readLinkProblems(text: string): LinkProblem[] {
  const problems: LinkProblem[] = []
  for (const row of text.split('\n')) {
    const [prefix, path] = /^[\s>*-]*`?([^\s:`"']+\.(?:mdx?|json))`?/.exec(row) ?? []
    if (!prefix || !path) continue
    const message = row.slice(prefix.length)
    if (!/\blink|\bpage|\btarget|not found|missing|no such|does not exist/i.test(message)) continue
    if (/\banchor|\bheading/i.test(message)) continue
    const kind = /\bnavigation\b/i.test(message) ? 'navigation' : 'link'
    if ((kind === 'navigation') !== path.endsWith('.json')) continue
    const target = findTarget(message)
    if (target && !problems.some((one) => one.path === path && one.target === target)) {
      problems.push({ kind, path, target })
    }
  }
  return problems
}

/**
 * Returns the first quoted or bracketed string that looks like a link. If no such string exists,
 * returns the first bare absolute or relative link.
 */
function findTarget(message: string): string | null {
  const setOff = [...message.matchAll(/`([^`]+)`|"([^"]+)"|'([^']+)'|\(([^()\s]+)\)|“([^”]+)”/g)]
  for (const groups of setOff) {
    const text = groups.slice(1).find((group) => group !== undefined)
    const link = text && (/\]\(([^)\s]+)\)/.exec(text)?.[1] ?? text)
    if (link && !/\s/.test(link)) return link
  }
  return /(?:^|\s)(\.{0,2}\/[^\s,;]+)/.exec(message)?.[1] ?? null
}

/** Numbers of pull requests that a prompt names without a repository. */
export interface PullRequestNumbers {
  /** After a word such as `PR`. */
  readonly named: readonly number[]
  /** As `#12` alone. */
  readonly bare: readonly number[]
}

const NUMBER = '#?\\d{1,9}(?!\\w)'
const SEPARATOR = '(?:,? (?:and|or|to|through|&) |, ?| ?[-–/] ?)'
/** Numbers of other things, such as `step #2`, `issues #3 and #4` and `our #1`. */
const OTHERS = new RegExp(
  `\\b(?:(?:issue|ticket|bug|step|option|item|point|section|chapter|part|page|line|rule|note|reason|question|comment|case|task|figure|table|example|version|colou?r)s?|fix(?:es|ed)?|close[sd]?|resolve[sd]?)[ :]{1,2}${NUMBER}(?:${SEPARATOR}${NUMBER}){0,50}|\\b(?:our|your|their|its|my|the|a|is|are|be) #\\d(?!\\w)`,
  'gi',
)
/** A decimal, a time or an amount rather than a number of a pull request. */
const AMOUNT =
  '%|[.:]\\d| of \\d| (?:hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|months?|years?|times|business|working)\\b'
const FIRST = `(?:#\\d{1,9}(?!\\w)|\\d{1,9}(?!\\w)(?!${AMOUNT}))`
/** After `PR 12 and`, a number before a noun is an amount, such as in `3 pages`. */
const NEXT = `(?:#\\d{1,9}(?!\\w)|\\d{1,9}(?!\\w)(?!${AMOUNT})(?! (?!and\\b|from\\b|for\\b|with\\b)[a-z]{3,}))`
const NAMED = new RegExp(
  ['(?:pull[ -]request|PR|merge request)s', '(?:pull[ -]request|PR|merge request)(?!s)']
    .map(
      (word, index) =>
        `\\b${word}(?: numbers?| no\\.?)?[ :]{0,3}(${FIRST}(?:${SEPARATOR}${index === 0 ? FIRST : NEXT}){0,50})`,
    )
    .join('|'),
  'gi',
)
/** Longer numbers after a `#` are colors rather than pull requests. */
const BARE = /(?<![\w#/&])#(\d{1,5})(?!\w)/g

/** Returns the numbers of pull requests that a prompt names without a repository. */
export function findPullRequestNumbers(prompt: string): PullRequestNumbers {
  const text = prompt.replace(OTHERS, ' ')
  const named = [...text.matchAll(NAMED)].flatMap(([, many, one]) => (many ?? one ?? '').match(/\d+/g) ?? [])
  const bare = [...text.matchAll(BARE)].map(([, number = '']) => number)
  return { named: toNumbers(named), bare: toNumbers(bare) }
}

const toNumbers = (found: readonly string[]): number[] => [...new Set(found.map(Number))].filter((number) => number > 0)

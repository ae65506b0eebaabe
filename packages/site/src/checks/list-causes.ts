import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isBelow, toInner } from '../pages/paths.ts'
import type { Problem } from '../pages/problem.ts'

export interface ProblemCause {
  readonly key: string
  /** Part of a sentence, such as `links that start with "/api/"`. */
  readonly name: string
  /** True if the cause covers all absolute or all relative references. */
  readonly isForm: boolean
}

/**
 * Returns what a broken reference may have in common with others, most specific first: the folder
 * that it leads to, and whether it is absolute or relative.
 */
export function listCauses(sites: readonly Site[], { check, path, subject, otherSubject }: Problem): ProblemCause[] {
  const what = check === 'navigation' ? 'entries' : check
  const written = check === 'navigation' ? `/${(otherSubject ?? '').replace(/^\.?\//, '')}` : subject
  const isAbsolute = written.startsWith('/')
  const root = findContent(findSite(sites, path), path)?.folder ?? ''
  const isInside = otherSubject !== undefined && isBelow(otherSubject, root)
  const target = isAbsolute ? written : isInside ? toInner(otherSubject, root) : (otherSubject ?? written)
  const first = /^\/?([^/?#]*)/.exec(target)?.[1] ?? ''
  const form = check === 'navigation' ? '' : isAbsolute ? 'absolute ' : 'relative '
  const place = isAbsolute ? `/${first}` : isInside ? first : `../${first}`
  return [
    { key: JSON.stringify([check, place]), name: `${what} to "${place}"`, isForm: false },
    { key: JSON.stringify([check, form, null]), name: `${form}${what}`, isForm: true },
  ]
}

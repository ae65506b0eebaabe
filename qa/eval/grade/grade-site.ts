import { leadsTo, listLinks } from '../site/list-links.ts'
import { readNavigation, toPage } from '../site/read-navigation.ts'
import { hasRedirect } from '../site/read-redirects.ts'
import type { Grader } from '../task/grader.ts'
import type { Tree } from '../task/tree.ts'
import type { GradeContext } from './attempt.ts'
import type { DiffGrader } from './grade-diff.ts'
import type { OutcomeGrader } from './grade-outcome.ts'
import type { SourceGrader } from './grade-source.ts'
import type { TextGrader } from './grade-text.ts'

export type SiteGrader = Exclude<Grader, DiffGrader | OutcomeGrader | SourceGrader | TextGrader>

/** Grades navigation, links and redirects. Returns null if the attempt passes. */
export function gradeSite(grader: SiteGrader, after: Tree, { base }: GradeContext): string | null {
  switch (grader.kind) {
    case 'in-navigation': {
      const entries = readNavigation(grader.file, after.get(grader.file) ?? '')
      if (entries === null) return `${grader.file} can no longer be read.`
      const named = entries.filter(({ page }) => page === toPage(grader.page))
      if (named.length === 0) return `${grader.file} does not list ${grader.page}.`
      if (named.length > 1) return `${grader.file} lists ${grader.page} ${named.length} times.`
      const { group } = grader
      if (group === undefined || named[0]?.groups.includes(group)) return null
      return `${grader.file} lists ${grader.page} in ${named[0]?.groups.join(' > ') || 'no group'}, expected ${group}.`
    }
    case 'not-in-navigation': {
      const entries = readNavigation(grader.file, after.get(grader.file) ?? '')
      if (entries === null) return `${grader.file} can no longer be read.`
      const named = entries.some(({ page }) => page === toPage(grader.page))
      return named ? `${grader.file} still lists ${grader.page}.` : null
    }
    case 'navigation-kept': {
      const before = toPages(grader.file, base)
      const now = toPages(grader.file, after)
      if (before === null || now === null) return `${grader.file} can no longer be read.`
      const kept = before.filter((page) => now.includes(page))
      const order = now.filter((page) => before.includes(page))
      if (kept.join('\n') !== order.join('\n')) return `${grader.file} lists its pages in a different order.`
      const lost = before.find((page) => !now.includes(page) && isPage(after, page))
      return lost === undefined ? null : `${grader.file} no longer lists ${lost}, which still exists.`
    }
    case 'no-links-to': {
      const link = listLinks(after).find((one) => one.from !== grader.page && leadsTo(one, grader.page))
      return link === undefined ? null : `${link.from} links to ${link.target}.`
    }
    case 'linked-from': {
      const found = listLinks(after).filter((one) => one.from === grader.from && leadsTo(one, grader.page)).length
      const wanted = grader.times ?? 1
      return found >= wanted
        ? null
        : `Links from ${grader.from} to ${grader.page}: ${found}, expected at least ${wanted}.`
    }
    case 'redirect': {
      const { file, from, to } = grader
      return hasRedirect(file, after.get(file) ?? '', { from, to })
        ? null
        : `${file} does not redirect ${from} to ${to}.`
    }
  }
}

const toPages = (file: string, tree: Tree): string[] | null =>
  readNavigation(file, tree.get(file) ?? '')?.map(({ page }) => page) ?? null

const isPage = (tree: Tree, page: string): boolean =>
  [...tree.keys()].some((path) => toPage(path) === page || toPage(path).endsWith(`/${page}`))

import type { Workspace } from '@corrigenda/git/workspace'
import { findSite } from '../frameworks/find-site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { isReachable } from '../links/is-reachable.ts'
import { resolveLink } from '../links/resolve-link.ts'
import { toDialect } from '../links/to-dialect.ts'
import { type Repository, readRepository } from '../move/read-repository.ts'

interface Judgement {
  readonly repository: Repository
  /** Number of links, entries and pages per verdict. */
  readonly counts: Readonly<Record<'links' | 'entries' | 'pages', Readonly<Record<'yes' | 'no' | 'unknown', number>>>>
  /** Issues: unreadable files, links and entries without a target, unreachable pages. */
  readonly wrong: readonly string[]
}

/** Resolves every link, navigation entry and page in a repository with the site model. */
export async function judgeRepository(workspace: Workspace): Promise<Judgement> {
  const repository = await readRepository(workspace)
  const { sites, index, scans } = repository
  await repository.load(scans.keys())
  const count = () => ({ yes: 0, no: 0, unknown: 0 })
  const counts = { links: count(), entries: count(), pages: count() }
  const wrong: string[] = []
  const note = (kind: keyof typeof counts, verdict: 'yes' | 'no' | 'unknown', what: string) => {
    counts[kind][verdict] += 1
    if (verdict === 'no') wrong.push(`${kind}: ${what}`)
  }
  for (const site of sites) {
    wrong.push(...site.faults.map((fault) => `fault: ${fault.path} ${fault.detail}`))
    for (const entry of site.navigation.entries) {
      note('entries', findEntryPages(index, site, entry).verdict, `${entry.file}:${entry.line} ${entry.page}`)
    }
  }
  for (const page of scans.keys()) {
    const site = findSite(sites, page)
    const dialect = toDialect(page, site)
    if (dialect === null) continue
    note('pages', isReachable(index, site, page), page)
    const spans = repository.findSpans(page)
    if (spans === null) wrong.push(`syntax: ${page}`)
    for (const { href } of spans ?? []) {
      const target = resolveLink(index, page, href)
      if (target.kind !== 'external') note('links', target.verdict, `${page} ${href}`)
    }
  }
  return { repository, counts, wrong }
}

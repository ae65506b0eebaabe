import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { readSiteFixtures } from '@corrigenda/testkit'
import { expect, it } from 'vitest'
import { toEntryText } from '../edit/to-entry-text.ts'
import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { isReachable } from '../links/is-reachable.ts'
import { toDialect } from '../links/to-dialect.ts'
import { toUrls } from '../links/to-urls.ts'
import { PAGE } from '../pages/paths.ts'
import { describeSites } from '../sites/describe-sites.ts'
import { formatMove } from './format-move.ts'
import { planMove } from './plan-move.ts'
import { type Repository, readRepository } from './read-repository.ts'

const fixtures = readSiteFixtures()

it.each(Object.keys(fixtures) as (keyof typeof fixtures)[])('%s: the site model matches the snapshot', async (name) => {
  const workspace = buildMemoryWorkspace(fixtures[name])
  const repository = await readRepository(workspace)
  const rows = [describeSites(repository.sites), ...repository.sites.flatMap((site) => listSite(repository, site))]
  const { index, sites } = repository
  const pages = sites.flatMap((site) =>
    site.navigation.entries.flatMap((entry) => findEntryPages(index, site, entry).paths.slice(0, 1)),
  )
  const page = pages.at(1)
  if (page !== undefined) {
    const target = page.replace(/([^/]*)$/, 'moved/$1')
    const moves = new Map([[page, target]])
    rows.push('', formatMove(page, target, moves, await planMove(workspace, moves, () => null)))
  }
  await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot(`../test-support/expected/${name}.txt`)
})

/** Returns the data that is read or derived for one site, one item per row. */
function listSite({ index, paths, sites }: Repository, site: Site): string[] {
  const { framework, root, base, navigation, redirects, content, publicFolders, languages, addresses } = site
  const [like] = navigation.entries
  const pages = paths.filter((path) => PAGE.test(path) && findSite(sites, path) === site)
  return [
    '',
    `${framework.name} in "${root}", base "${base}", navigation ${navigation.mode}, addresses ${addresses}`,
    `navigation files: ${list(navigation.files)}; generated: ${list(navigation.generated)}`,
    `public folders: ${list(publicFolders)}; languages: ${list(languages)}`,
    ...content.map(({ folder, url, kind, language }) => `content: ${folder} at ${url}, ${kind}, language ${language}`),
    ...navigation.entries.map((entry) => {
      const { verdict, paths: found } = findEntryPages(index, site, entry)
      const place = `${entry.file}:${entry.line}:${entry.start}-${entry.end}`
      return `entry: ${place} ${[...entry.trail, entry.page].join(' > ')} = ${verdict} ${list(found)}`
    }),
    ...redirects.list.map(
      ({ file, line, source, destination }) => `redirect: ${file}:${line} ${source} > ${destination}`,
    ),
    ...pages.map((page) => {
      const facts = index.facts.get(page) ?? null
      const words = [
        toDialect(page, site),
        findContent(site, page) === null ? 'outside' : isReachable(index, site, page),
      ]
      const named = like === undefined ? null : toEntryText(site, like, page, facts)
      return `page: ${page} ${words.join(' ')} ${list(toUrls(site, page, facts))} entry ${JSON.stringify(named)}`
    }),
  ]
}

const list = (items: readonly string[]) => (items.length === 0 ? '-' : items.join(' '))

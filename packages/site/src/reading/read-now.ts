import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { buildSiteIndex } from '../links/build-site-index.ts'
import { toDialect } from '../links/to-dialect.ts'
import type { PageContent } from '../pages/page-content.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'
import { readSites } from '../sites/read-sites.ts'
import { type ContentDeps, type PageReading, readContents } from '../thread/read-contents.ts'
import type { Workspace, WorkspaceChange } from '../workspace/workspace.ts'
import { type Base, buildLinkSide, readOrNull, type Side } from './read-base.ts'

/** The base with the change applied, and the parts of the base that the change affects. */
export interface Now extends Side {
  /** Contents keyed by changed page, null for deleted pages. */
  readonly changed: ReadonlyMap<string, PageContent | null>
  /** Deleted files, and pages whose URL or labels changed. */
  readonly moved: ReadonlySet<string>
  /** True if URLs resolve differently for reasons other than added or removed files. */
  readonly readdressed: boolean
  readonly redirectsChanged: boolean
  /** True if the navigation may list other pages than before, apart from the changed ones. */
  readonly relisted: boolean
}

/** Reads the changed pages and overlays them on the base. */
export async function readNow(
  deps: ContentDeps,
  workspace: Workspace,
  base: Base,
  changes: readonly WorkspaceChange[],
): Promise<Now> {
  const entries = await workspace.list()
  const known = new Set(entries.filter((entry) => entry.kind === 'file').map((entry) => entry.path))
  const sites = await readSites({
    paths: [...known],
    read: async (path) => (known.has(path) ? await readOrNull(() => workspace.read(path)) : null),
  })
  const pages = changes.flatMap(({ path, after }): PageReading[] => {
    const dialect = after === null ? null : toDialect(path, findSite(sites, path))
    return dialect === null ? [] : [{ path, dialect, blob: null, read: async () => after }]
  })
  const read = await readContents(deps, workspace, pages)
  const changed = new Map<string, PageContent | null>(changes.map(({ path }) => [path, read.get(path) ?? null]))
  const contentOf = (path: string) => (changed.has(path) ? (changed.get(path) ?? undefined) : base.contentOf(path))
  const isPage = (path: string) => (changed.has(path) ? changed.get(path) !== null : base.isPage(path))

  const facts = new Map<string, PageFacts>(base.facts)
  const moved = new Set(changes.filter((change) => change.kind === 'deleted').map((change) => change.path))
  let isRenamed = false
  for (const [path, content] of changed) {
    const before = base.facts.get(path) ?? null
    const after = content?.facts ?? null
    if (after === null) facts.delete(path)
    else facts.set(path, after)
    // The title does not affect the URL.
    if (before !== null && toKey(before) + before.labels !== toKey(after) + after?.labels) moved.add(path)
    if (before !== null && after !== null && toKey(before) + before.hidden !== toKey(after) + after.hidden)
      isRenamed = true
  }
  const isSame = (part: (site: Site) => unknown) =>
    JSON.stringify(sites.map(part)) === JSON.stringify(base.sites.map(part))
  const index = buildSiteIndex(
    sites,
    entries.map((entry) => entry.path),
    facts,
  )
  // An entry may now refer to an added page that has the same name.
  const named = new Set(index.named.flatMap((pages) => [...pages]))
  const isUnlisted = base.index.named.some((pages) => [...pages].some((path) => !named.has(path) && isPage(path)))
  return {
    ...buildLinkSide(index, contentOf, (path) => (changed.has(path) ? undefined : base.componentOf(path))),
    paths: [...known],
    sites,
    facts,
    isPage,
    changed,
    moved,
    readdressed: !isSame(({ navigation: _n, redirects: _r, faults: _f, components: _c, ...site }) => site),
    redirectsChanged: !isSame((site) => site.redirects),
    relisted: !isSame((site) => [site.navigation, site.faults]) || isUnlisted || isRenamed,
  }
}

function toKey(facts: PageFacts | null): string {
  return facts === null ? '' : JSON.stringify([facts.id, facts.slug, facts.url, facts.aliases, facts.external])
}

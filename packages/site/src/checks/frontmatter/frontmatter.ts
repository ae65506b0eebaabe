import { findContent, findSite } from '../../frameworks/find-site.ts'
import type { Site } from '../../frameworks/framework.ts'
import { toUrls } from '../../links/to-urls.ts'
import { PAGE } from '../../pages/paths.ts'
import { splitFrontmatter } from '../../pages/split-frontmatter.ts'
import type { Check, Severity } from '../../reading/check.ts'
import type { Problem } from '../../reading/problem.ts'
import type { Side } from '../../reading/read-base.ts'
import { decodeText } from '../../workspace/text-file.ts'
import type { WorkspaceChange } from '../../workspace/workspace.ts'

/** Front matter that is invalid, lost, or without what the framework requires. */
export const frontmatter = {
  name: 'frontmatter',
  issues: {
    frontmatter_invalid: toSeverity,
    frontmatter_unclosed: toSeverity,
    frontmatter_not_a_map: toSeverity,
    // A YAML parser accepts the following, or the site displays them as text.
    frontmatter_aliases: 'blocks',
    frontmatter_too_large: 'blocks',
    frontmatter_too_deep: 'blocks',
    frontmatter_lost: 'blocks',
    title_missing: toSeverity,
  },
  async find({ base, now, pages, changes }) {
    return await base.pages.read(() => ({
      before: [...findOwn(base, pages), ...findMissingTitles(base, pages)],
      after: [
        ...findOwn(now, pages),
        ...changes.flatMap((change) => findLostFrontmatter(now, change)),
        ...findMissingTitles(now, pages),
      ],
    }))
  },
} as const satisfies Check

function toSeverity({ framework }: Site, { subject }: Problem): Severity {
  const isAccepted = subject === 'DUPLICATE_KEY' && framework.acceptsRepeatedKeys === true
  return framework.requiresFrontmatter === true && !isAccepted ? 'breaks_page' : 'blocks'
}

function findOwn(side: Side, pages: readonly string[] | null): Problem[] {
  return (pages ?? side.paths).flatMap((path) =>
    (side.contentOf(path)?.problems ?? []).flatMap((problem) =>
      problem.code in frontmatter.issues ? [{ ...problem, path }] : [],
    ),
  )
}

function findMissingTitles({ index, paths }: Side, pages: readonly string[] | null): Problem[] {
  return (pages ?? paths).flatMap((path): Problem[] => {
    const facts = PAGE.test(path) ? index.facts.get(path) : undefined
    if (facts === undefined || facts.title !== null || !index.files.has(path)) return []
    const site = findSite(index.sites, path)
    const content = findContent(site, path)
    if (site.config === null || content?.kind !== 'docs' || content.folder.endsWith('src/pages')) return []
    if (!site.framework.requiresTitle || toUrls(site, path, facts).length === 0) return []
    const message = `${site.framework.title} does not build pages without a title. Add "title" to the front matter.`
    return [{ code: 'title_missing', path, line: 1, subject: '', message }]
  })
}

/**
 * Detects a page that lost its front matter because a line was inserted before it or its opening
 * fence was deleted. The site then displays the keys as text.
 */
function findLostFrontmatter({ sites, isPage }: Side, change: WorkspaceChange): Problem[] {
  if (!isPage(change.path)) return []
  const before = split(change.before)
  const after = split(change.after, findSite(sites, change.path).framework.acceptsBlankLines)
  if (before?.yaml == null || before.yaml.trim() === '' || after === null) return []
  if (after.yaml !== null || after.unclosed) return []
  // If the front matter was removed on purpose, its keys are gone. If it was lost by accident, they
  // are still near the top.
  const top = after.body.split('\n', before.lines + 20)
  if (!before.yaml.split('\n').some((line) => /^[\w-]+:/.test(line) && top.includes(line))) return []
  const message = 'The page has lost its front matter. The front matter must start with "---" on line 1.'
  return [{ code: 'frontmatter_lost', path: change.path, line: 1, subject: '', message }]
}

function split(bytes: Uint8Array | null, acceptsBlankLines = false) {
  const file = bytes === null ? 'binary' : decodeText(bytes)
  return typeof file === 'string' ? null : splitFrontmatter(acceptsBlankLines ? file.text.trimStart() : file.text)
}

import type { Site } from '../frameworks/framework.ts'

const MAX_SITES = 10
const MAX_FILES = 6
/**
 * File and language names come from the repository. Only names that cannot form a sentence are
 * shown.
 */
const SAFE = /^[\w@.+()[\]-]{1,60}(?:\/[\w@.+()[\]-]{1,60}){0,10}$/

/** Describes a repository's sites for the agent, one line each. Depends only on the base commit. */
export function describeSites(sites: readonly Site[]): string {
  const published = sites.filter((site) => site.config !== null)
  if (published.length === 0) return 'Documentation: no known framework was detected. Pages are plain Markdown.'
  const rows = published.slice(0, MAX_SITES).map((site) => `- ${describeSite(site)}`)
  const more = published.length > MAX_SITES ? [`- and ${published.length - MAX_SITES} more`] : []
  const rules = [...new Set(published.flatMap((site) => site.framework.rule ?? []))]
  return ['Documentation sites in this repository, detected from its files:', ...rows, ...more, ...rules].join('\n')
}

function describeSite(site: Site): string {
  const pages = [
    ...new Set(
      site.content.filter(({ kind, language }) => kind === 'docs' && language === null).map(({ folder }) => folder),
    ),
  ]
  const parts = [
    `${site.framework.title} in ${site.root === '' ? 'the root' : show([site.root])}`,
    `pages (${site.framework.dialects.words}) in ${show(pages.map((folder) => folder || '.'))}`,
    describeNavigation(site),
    describeRedirects(site),
  ]
  if (site.languages.length > 1) parts.push(`languages ${show(site.languages)}`)
  if (site.faults.length > 0) parts.push(`could not read ${show(site.faults.map((fault) => fault.path))}`)
  return `${parts.join('; ')}.`
}

function describeNavigation({ navigation, framework }: Site): string {
  const files = show(navigation.files)
  switch (navigation.mode) {
    case 'all':
      return framework.showsUnlisted
        ? `order in ${files}, other pages are added automatically`
        : 'navigation is generated from the files'
    case 'generated':
      return `navigation in ${files}; some folders are added automatically`
    case 'unknown':
      return `navigation in ${files}, parts of it are code or generated`
    default:
      return `navigation in ${files}`
  }
}

function describeRedirects({ redirects }: Site): string {
  if (redirects.files.length === 0) return 'no redirects'
  const count = redirects.list.length
  return count === 0
    ? `no redirects yet (new ones belong in ${show(redirects.files)})`
    : `${count} ${count === 1 ? 'redirect' : 'redirects'} in ${show(redirects.files)}`
}

function show(names: readonly string[]): string {
  const safe = [...new Set(names)].filter((name) => SAFE.test(name))
  const hidden = new Set(names).size - Math.min(safe.length, MAX_FILES)
  if (safe.length === 0) return 'files with unusual names'
  return `${safe.slice(0, MAX_FILES).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`
}

import type { Site } from './site.ts'

const NAMES: Readonly<Record<Site['framework'], string>> = {
  mintlify: 'Mintlify',
  docusaurus: 'Docusaurus',
  mkdocs: 'MkDocs',
  vitepress: 'VitePress',
  starlight: 'Astro Starlight',
  nextra: 'Nextra',
  fern: 'Fern',
  gitbook: 'GitBook',
  mdbook: 'mdBook',
  plain: 'plain Markdown',
}
const DIALECTS: Readonly<Record<Site['framework'], string>> = {
  mintlify: 'MDX, also in .md',
  docusaurus: 'MDX, also in .md',
  mkdocs: 'Markdown',
  vitepress: 'Markdown',
  starlight: '.mdx is MDX, .md is Markdown',
  nextra: 'MDX, also in .md',
  fern: 'MDX, also in .md',
  gitbook: 'Markdown',
  mdbook: 'Markdown',
  plain: 'Markdown',
}
/** What a writer has to know of a framework beyond its files. */
const RULES: Partial<Record<Site['framework'], string>> = {
  mintlify: 'Mintlify: an entry of the navigation is the path of the page without its extension.',
  docusaurus:
    'Docusaurus: an entry of a sidebar is the id of a document: its path in the docs folder without extension and leading numbers.',
  mkdocs:
    'MkDocs: an entry of nav is a path relative to the docs folder, with .md; links between pages are relative file paths.',
  starlight: 'Starlight: an entry of the sidebar is the address of the page, without slashes around it.',
  nextra: 'Nextra: a key of _meta is the name of a page or folder beside it.',
  mdbook: 'mdBook: only pages that SUMMARY.md lists are built.',
  gitbook: 'GitBook: only pages that SUMMARY.md lists are shown.',
}
const MAX_SITES = 10
const MAX_FILES = 6
/** Names of files and languages are a stranger's words: only what cannot be a sentence is shown. */
const SAFE = /^[\w@.+()[\]-]{1,60}(?:\/[\w@.+()[\]-]{1,60}){0,10}$/

/** What the agent is told of the sites of a repository, one line each. Follows from the base commit alone. */
export function describeSites(sites: readonly Site[]): string {
  const published = sites.filter((site) => site.config !== null)
  if (published.length === 0) return 'Documentation: no framework was recognised; pages are plain Markdown.'
  const rows = published.slice(0, MAX_SITES).map((site) => `- ${describeSite(site)}`)
  const more = published.length > MAX_SITES ? [`- and ${published.length - MAX_SITES} more`] : []
  const rules = [...new Set(published.map((site) => RULES[site.framework] ?? ''))].filter((rule) => rule !== '')
  return ['Documentation sites in this repository, as its files tell:', ...rows, ...more, ...rules].join('\n')
}

function describeSite(site: Site): string {
  const pages = [
    ...new Set(
      site.content.filter(({ kind, language }) => kind === 'docs' && language === null).map(({ folder }) => folder),
    ),
  ]
  const parts = [
    `${NAMES[site.framework]} in ${site.root === '' ? 'the root' : show([site.root])}`,
    `pages (${DIALECTS[site.framework]}) in ${show(pages.map((folder) => folder || '.'))}`,
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
      return framework === 'nextra'
        ? `order in ${files}, other pages appear by themselves`
        : 'navigation is made from the files'
    case 'generated':
      return `navigation in ${files}; some folders appear by themselves`
    case 'unknown':
      return `navigation in ${files}, partly code or generated`
    default:
      return `navigation in ${files}`
  }
}

function describeRedirects({ redirects }: Site): string {
  if (redirects.files.length === 0) return 'no redirects'
  const count = redirects.list.length
  return count === 0
    ? `redirects would go into ${show(redirects.files)}`
    : `${count} ${count === 1 ? 'redirect' : 'redirects'} in ${show(redirects.files)}`
}

function show(names: readonly string[]): string {
  const safe = [...new Set(names)].filter((name) => SAFE.test(name))
  const hidden = new Set(names).size - Math.min(safe.length, MAX_FILES)
  if (safe.length === 0) return 'files with unusual names'
  return `${safe.slice(0, MAX_FILES).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`
}

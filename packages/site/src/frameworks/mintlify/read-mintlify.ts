import type { ConfigFile, ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems, toProperties } from '../../config/literal.ts'
import { joinPath, PAGE, toFolder } from '../../pages/paths.ts'
import {
  addEntry,
  blur,
  buildDraft,
  buildSite,
  enterNode,
  type NavigationDraft,
  noteFile,
  type ReadSite,
  toPageCandidates,
  toRedirect,
} from '../build-site.ts'
import type { ContentFolder, SiteRedirect } from '../site.ts'

const LABELS = ['language', 'version', 'tab', 'product', 'dropdown', 'anchor', 'item', 'group']
/**
 * The files that Mintlify always excludes (`DEFAULT_MINT_IGNORES` in `@mintlify/common`), and skills,
 * which are for agents and not pages.
 */
const DEFAULT_IGNORES = [
  '/skill.md',
  'SKILL.md',
  '.git',
  '.github',
  '.claude',
  '.agents',
  '.idea',
  '.vscode',
  '.cursor',
  '.mintlify',
  'node_modules',
  'README.md',
  'LICENSE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
]

interface Walk {
  readonly files: ConfigFiles
  readonly root: string
  readonly draft: NavigationDraft
  readonly languages: string[]
  /** Folders with pages generated from API descriptions. */
  readonly generated: Set<string>
  /** Paths of API descriptions. */
  readonly descriptions: Set<string>
}

/**
 * Reads Mintlify's `docs.json` (or the older `mint.json`): every string in a `pages` list and every
 * `root`, at any depth. Skips links, API operations and generated pages, which are not files. A
 * `$ref` is replaced with the JSON file at a path relative to the file that contains the `$ref`.
 */
export const readMintlify: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  noteFile(draft, file)
  const { literal } = file
  const navigation = findProperty(literal, 'navigation')
  const schema = findText(literal, '$schema') ?? ''
  if (literal !== null && navigation === null && !schema.includes('mintlify')) return null
  const walk: Walk = { files, root, draft, languages: [], generated: new Set(), descriptions: new Set() }
  if (literal === null) blur(draft)
  else if (navigation !== null) await visit(walk, { file, literal: navigation }, [], [config])
  if (findProperty(literal, 'openapi') ?? findProperty(literal, 'api', 'openapi')) walk.generated.add('api-reference')

  const redirects: SiteRedirect[] = []
  const redirectFiles: string[] = []
  let complete = literal !== null
  const list = findProperty(literal, 'redirects')
  if (list !== null) complete = await readRedirects(walk, { file, literal: list }, redirects, redirectFiles, [config])
  else redirectFiles.push(config)
  const opaque: ContentFolder[] = [...walk.generated].map((path) => ({
    folder: joinPath(root, path) ?? path,
    url: `/${path}`,
    kind: 'opaque',
    language: null,
  }))
  const ignoreFile = await files.open(joinPath(root, '.mintignore') ?? '')
  const parts = {
    root,
    config,
    ignored: [{ folder: root, patterns: [...DEFAULT_IGNORES, ...(ignoreFile?.text.split('\n') ?? [])] }],
    content: [{ folder: root, url: '/', kind: 'docs' as const, language: null }, ...opaque],
    publicFolders: [root],
    languages: walk.languages,
    openUrls: await readOperationUrls(walk),
  }
  return buildSite(parts, draft, redirects, redirectFiles, complete)
}

async function visit(walk: Walk, at: Located, trail: readonly string[], open: readonly string[]): Promise<void> {
  if (!enterNode(walk.draft)) return
  const { file, literal } = at
  if (literal.kind === 'array') {
    for (const item of literal.items) await visit(walk, { file, literal: item }, trail, open)
    return
  }
  if (literal.kind !== 'object') return
  const referred = await resolveReference(walk, at, open)
  if (referred !== null) {
    noteFile(walk.draft, referred)
    await visit(walk, { file: referred, literal: referred.literal ?? literal }, trail, [...open, referred.path])
  }
  const label = LABELS.map((key) => findText(literal, key)).find((name) => name !== null)
  const language = findText(literal, 'language')
  if (language !== null && !walk.languages.includes(language)) walk.languages.push(language)
  const inner = label === undefined ? trail : [...trail, label ?? '']
  noteGenerated(walk, literal)
  for (const { key, value } of literal.properties) {
    if (key === 'pages' && value.kind === 'array') {
      for (const page of value.items) {
        if (page.kind === 'string') addPage(walk, file, page, inner)
        else await visit(walk, { file, literal: page }, inner, open)
      }
    } else if (key === 'root' && value.kind === 'string') addPage(walk, file, value, inner)
    else if (key !== 'openapi' && key !== 'asyncapi') {
      await visit(walk, { file, literal: value }, inner, open)
    }
  }
}

/** Returns the URLs that API descriptions define for the pages of operations. */
async function readOperationUrls({ files, root, descriptions }: Walk): Promise<string[]> {
  const opened = await Promise.all([...descriptions].map((path) => files.open(joinPath(root, path) ?? '')))
  const paths = opened.flatMap((file) => toProperties(findProperty(file?.literal, 'paths')))
  const operations = paths.flatMap(({ value }) => toProperties(value))
  return operations.flatMap(({ value }) => findText(value, 'x-mint', 'href')?.replace(/^\/+/, '') ?? [])
}

/**
 * Records the folders of pages that are generated from API descriptions. These pages have no files.
 */
function noteGenerated(walk: Walk, literal: Literal): void {
  for (const key of ['openapi', 'asyncapi']) {
    const described = findProperty(literal, key)
    if (described === null) continue
    for (const item of [described, findProperty(described, 'source'), ...toItems(described)])
      if (item?.kind === 'string') walk.descriptions.add(item.value)
    const folder = findText(described, 'directory')?.replace(/^\/+|(?<!\/)\/+$/g, '')
    walk.generated.add(folder === undefined || folder === '' ? 'api-reference' : folder)
  }
}

/**
 * Returns the file that a literal's `$ref` names. Returns null if the literal has no `$ref` or the
 * file cannot be used.
 */
async function resolveReference(walk: Walk, at: Located, open: readonly string[]): Promise<ConfigFile | null> {
  const reference = findText(at.literal, '$ref')
  if (reference === null) return null
  const path = joinPath(toFolder(at.file.path), reference)
  if (path === null || open.includes(path) || open.length > 10) {
    blur(walk.draft)
    return null
  }
  const file = await walk.files.open(path)
  if (file === null || !/\.json$/i.test(path)) {
    const property = toProperties(at.literal).find(({ key }) => key === '$ref')
    const line = walk.files.toLine(at.file, property?.keyStart ?? 0)
    walk.draft.faults.push({
      path: at.file.path,
      line,
      code: 'missing',
      detail: `it refers to ${JSON.stringify(reference)}`,
    })
    blur(walk.draft)
    return null
  }
  if (file.literal === null) blur(walk.draft)
  if (file.fault !== null && !walk.draft.faults.includes(file.fault)) walk.draft.faults.push(file.fault)
  return file
}

function addPage(walk: Walk, file: ConfigFile, literal: Literal & { kind: 'string' }, trail: readonly string[]): void {
  const page = literal.value
  if (page === '' || /^[a-z][a-z0-9+.-]*:/i.test(page) || /^[A-Z]+\s+\S/.test(page) || page.includes('#')) return
  // `api.json GET /x` and a bare `api.json` are operations.
  if (/^\S+\.(json|ya?ml)(\s|$)/.test(page)) return
  const candidates = toPageCandidates(walk.root, page)
  addEntry(
    walk.files,
    walk.draft,
    { file, literal },
    { trail, candidates, exact: PAGE.test(page) || candidates.length > 0 },
  )
}

async function readRedirects(
  walk: Walk,
  at: Located,
  redirects: SiteRedirect[],
  redirectFiles: string[],
  open: readonly string[],
): Promise<boolean> {
  const { file, literal } = at
  if (literal.kind === 'object') {
    const referred = await resolveReference(walk, at, open)
    if (referred === null || referred.literal === null) return false
    const list = referred.literal.kind === 'array' ? referred.literal : findProperty(referred.literal, 'redirects')
    if (list === null) return false
    return readRedirects(walk, { file: referred, literal: list }, redirects, redirectFiles, [...open, referred.path])
  }
  if (literal.kind !== 'array') return false
  if (!redirectFiles.includes(file.path)) redirectFiles.push(file.path)
  let complete = literal.whole
  for (const item of toItems(literal)) {
    const redirect = toRedirect(
      walk.files,
      { file, literal: item },
      findProperty(item, 'source'),
      findProperty(item, 'destination'),
    )
    if (redirect !== null) redirects.push(redirect)
    else if (findText(item, '$ref') === null) complete = false
    else complete = (await readRedirects(walk, { file, literal: item }, redirects, redirectFiles, open)) && complete
  }
  return complete
}

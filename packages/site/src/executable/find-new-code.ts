import { parseDocument } from 'yaml'
import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { hasMath, isMdx, isVue } from '../pages/dialect.ts'
import { MAX_YAML_DEPTH, measureYamlDepth } from '../pages/measure-yaml-depth.ts'
import { isBelow, PAGE, toFolder, toName } from '../pages/paths.ts'
import { splitFrontmatter } from '../pages/split-frontmatter.ts'
import { ALL_FRAMEWORKS } from '../sites/all-frameworks.ts'
import { openBaseSites, openSites } from '../sites/open-sites.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { buildScan } from './build-scan.ts'
import { listAdocCode } from './list-adoc-code.ts'
import { listFrontCode, readFrontValue } from './list-front-code.ts'
import { listMarkdownCode } from './list-markdown-code.ts'
import { listMdxCode } from './list-mdx-code.ts'
import { listRstCode } from './list-rst-code.ts'
import { listVueCode } from './list-vue-code.ts'
import { listYamlTags } from './list-yaml-tags.ts'
import type { CodeKind, PageCode } from './page-code.ts'
import { isInside, isOutside, type PagePlace } from './page-place.ts'

/** Code that a change adds to a file. */
export interface NewCode {
  readonly kind: CodeKind
  readonly path: string
  /** 1-based. */
  readonly line: number
}

interface Side {
  readonly sites: readonly Site[]
  /** Paths of regular files. */
  readonly paths: ReadonlySet<string>
  /** Returns true for a file that pages may include. */
  isIncludable(path: string): boolean
  read(path: string): Promise<Uint8Array | null>
}

/** Pages of the base commit that are parsed to find out whether one imports a module. */
const MAX_PARSED = 30
/** A configuration of MkDocs whose other settings are in another file. */
const INHERITS = /^INHERIT[ \t]*:/m
/** Modules that are searched in the base commit. */
const MAX_MODULES = 30

/**
 * Returns the code that a change adds to pages and configuration files: what runs while the
 * documentation is built, and includes from outside of it. Code that the file already contained is
 * not new, and neither is an import of a module that another page of the base commit imports.
 * Synchronous CPU work, about 4 s per MB of changed MDX pages, with pauses between files.
 * @param renames new paths of moved files, by old path
 * @param isReadable returns true for a file that the author of the change may read. Pages must not
 *   include other files.
 */
export async function findNewCode(
  workspace: Workspace,
  renames: ReadonlyMap<string, string>,
  isReadable: (path: string) => boolean = () => true,
): Promise<NewCode[]> {
  const changes = (await workspace.changes()).filter(({ path }) =>
    /\.(?:mdx?|markdown|rst|adoc|ya?ml|json)$/i.test(path),
  )
  if (changes.length === 0) return []
  const now = await openSites(workspace)
  const entries = await workspace.listBase()
  const present = new Set(now.paths)
  const after: Side = {
    sites: now.sites,
    paths: present,
    isIncludable: (path) => present.has(path) && isReadable(path),
    read: (path) => workspace.read(path),
  }
  const past = new Set(entries.flatMap(({ kind, path }) => (kind === 'file' ? [path] : [])))
  const before: Side = {
    sites: await openBaseSites(workspace),
    paths: past,
    isIncludable: (path) => past.has(path) && isReadable(path),
    read: (path) => workspace.readBase(path),
  }
  const sources = new Map(Array.from(renames, ([from, to]) => [to, from]))
  const found: NewCode[] = []
  const modules = new Map<string, boolean>()
  const isKnownModule = async (code: PageCode) => {
    const isKnown = modules.get(code.source) ?? (modules.size < MAX_MODULES && (await isImported(before, code)))
    modules.set(code.source, isKnown)
    return isKnown
  }
  for (const change of changes) {
    if (change.after === null) continue
    const source = sources.get(change.path) ?? change.path
    const old = source === change.path ? change.before : await workspace.readBase(source)
    const known = new Set((await listCode(before, source, old)).map(toKey))
    for (const code of await listCode(after, change.path, change.after)) {
      if (known.has(toKey(code)) || (await isKnownModule(code))) continue
      found.push({ kind: code.kind, path: change.path, line: code.line })
    }
    await new Promise(setImmediate)
  }
  return found
}

const toKey = ({ kind, source }: PageCode): string => `${kind} ${source}`

async function listCode(side: Side, path: string, bytes: Uint8Array | null): Promise<PageCode[]> {
  const file = bytes === null ? 'binary' : decodeText(bytes)
  if (typeof file === 'string') return []
  const { text } = file
  if (/\.(?:ya?ml|json)$/i.test(path)) {
    // By name, because a faulty configuration has no site.
    const framework = ALL_FRAMEWORKS.find(({ detections }) => detections.some(({ config }) => config.test(path)))
    const isJson = /json$/i.test(path)
    // No build reads JSON that is not valid, and the checks report it.
    if (isJson && !isValidJson(text)) return []
    return [
      ...(isJson ? [] : listYamlTags(text)),
      ...(framework?.isCodeSetting === undefined ? [] : listSettingCode(text, framework.isCodeSetting)),
    ]
  }
  const site = findSite(side.sites, path)
  const config = site.config === null ? null : decodeText((await side.read(site.config)) ?? new Uint8Array())
  const folders = [...new Set([...site.content.map(({ folder }) => folder), ...site.publicFolders, site.root])]
  const settings = config === null || typeof config === 'string' ? '' : config.text
  const mentions = (word: string) => settings.includes(word) || INHERITS.test(settings)
  const place: PagePlace = {
    path,
    root: site.root,
    folders,
    mentions,
    forms: new Set(Object.keys(site.framework.notations ?? {})),
    isTemplate: side.sites.some((one) => isBelow(path, one.root) && one.framework.isTemplate?.(path, one) === true),
    exists: (one) => side.isIncludable(one),
  }
  const directives = listDirectives(text, place)
  if (!PAGE.test(path)) return [...directives]
  const code = splitPage(text).flatMap((part) => listSyntaxCode(part, site, place))
  return [...listFrontCode(text), ...code, ...directives]
}

/** Lists the code in MDX or in a template of Vue. */
function listSyntaxCode(text: string, site: Site, place: PagePlace): PageCode[] {
  const { path } = place
  const { dialects, framework } = site
  const declared = /\.mdx$/i.test(path) ? dialects.mdx : dialects.md
  // A page of Docusaurus can choose the dialect.
  const isMdxPage = readFrontValue(text, 'mdx', 'format') === 'mdx' && isMdx(framework.dialects.mdx)
  const dialect = isMdxPage ? framework.dialects.mdx : (dialects.code ?? declared)
  const folder = toFolder(path)
  if (isMdx(dialect)) {
    const isOwn = (href: string) => (/^(?:\.|\/|@\/|@site\/)/.test(href) ? isInside(href, place) : !isOutside(href))
    return listMdxCode(text, dialect, { folder, isInside: isOwn })
  }
  if (!isVue(dialect)) return []
  const { body, lines } = splitFrontmatter(text)
  return listVueCode(body, hasMath(dialect), folder).map((one) => ({ ...one, line: one.line + lines }))
}

/**
 * Returns the page, and the page without its front matter if a parser of front matter may end it
 * earlier, at a line that only starts with dashes.
 */
function splitPage(text: string): string[] {
  const { yaml } = splitFrontmatter(text)
  const early = yaml === null ? null : /^---[^\n]*\n/m.exec(yaml)
  if (yaml === null || early === null) return [text]
  const start = text.indexOf(yaml) + early.index
  return [text, text.slice(0, start).replace(/[^\n]/g, '') + text.slice(start + 3)]
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns true if the code is an import of a module that a page of the base commit imports. */
async function isImported(base: Side, { kind, source }: PageCode): Promise<boolean> {
  const module = kind === 'mdx-code' ? /^import (".*")$/.exec(source)?.[1] : undefined
  if (module === undefined) return false
  const name = toName(JSON.parse(module) as string)
  let parsed = 0
  for (const path of base.paths) {
    if (!PAGE.test(path) || parsed >= MAX_PARSED) continue
    const site = findSite(base.sites, path)
    if (!isMdx(/\.mdx$/i.test(path) ? site.dialects.mdx : site.dialects.md)) continue
    const bytes = await base.read(path)
    // Most pages are excluded without parsing.
    if (bytes === null || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(name)) continue
    parsed += 1
    if ((await listCode(base, path, bytes)).some((one) => one.source === source)) return true
  }
  return false
}

/**
 * Lists the directives of a page that run code, insert text without processing it, or include files
 * from outside the documentation. Examples in code blocks are also listed, because a block can end
 * earlier than it seems to.
 */
function listDirectives(text: string, place: PagePlace): readonly PageCode[] {
  const scan = buildScan(text, place)
  const isRst = /\.rst$/i.test(place.path)
  if (isRst) listRstCode(scan)
  else if (/\.adoc$/i.test(place.path)) listAdocCode(scan)
  if (place.isTemplate || !/\.(?:rst|adoc)$/i.test(place.path)) listMarkdownCode(scan)
  return scan.found
}

const MAX_ALIASES = 100
/** Values whose line is searched. Further values are reported at the first line. */
const MAX_LOCATED = 200

/**
 * Lists the values of a YAML or JSON file whose keys `isCode` matches. A key is written as
 * `plugins.search.lang`, without the positions in lists. Lists the whole text if it cannot be read.
 */
function listSettingCode(text: string, isCode: (key: string) => boolean): PageCode[] {
  const found: PageCode[] = []
  const lines = text.split('\n')
  const add = (key: string, value: unknown) => {
    const [name, text] = [key.slice(key.lastIndexOf('.') + 1), String(value)]
    const rows = [(row: string) => row.includes(name) && row.includes(text), (row: string) => row.includes(text)]
    const index = found.length < MAX_LOCATED ? rows.map((test) => lines.findIndex(test)).find((one) => one >= 0) : 0
    found.push({ kind: 'build-settings', line: (index ?? 0) + 1, source: `${key} ${JSON.stringify(value)}` })
  }
  const read = (key: string, value: unknown) => {
    if (Array.isArray(value)) for (const one of value) read(key, one)
    else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      for (const [name, one] of Object.entries(value)) read(key === '' ? name : `${key}.${name}`, one)
    } else if (key === '' || isCode(key)) add(key, toValue(value))
  }
  try {
    if (measureYamlDepth(text) > MAX_YAML_DEPTH) throw new RangeError('nested too deeply')
    // Parsers of the configuration also resolve merge keys.
    const document = parseDocument(text, { logLevel: 'silent', uniqueKeys: false, merge: true })
    if (document.errors.length > 0 || /^(?:---|\.\.\.)(?:\s|$)/m.test(text.trimStart().replace(/^---/, '')))
      throw new SyntaxError('not valid YAML')
    read('', document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {})
  } catch {
    found.push({ kind: 'build-settings', line: 1, source: text })
  }
  return found
}

/** A page that moves keeps its meaning in the settings. */
const toValue = (value: unknown): unknown =>
  typeof value === 'string' && /^[\w./ -]{1,500}\.(?:md|mdx)(?:#[\w-]*)?$/i.test(value) ? 'a page' : value

import type { CodeKind } from '@corrigenda/contracts'
import { decodeText, type Workspace } from '@corrigenda/git/workspace'
import { findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isMdx, isVue } from '../pages/dialect.ts'
import type { IncludeForm } from '../pages/include-form.ts'
import { PAGE, toFolder, toName } from '../pages/paths.ts'
import { splitFrontmatter } from '../pages/split-frontmatter.ts'
import { ALL_FRAMEWORKS } from '../sites/all-frameworks.ts'
import { openBaseSites, openSites } from '../sites/open-sites.ts'
import { listDirectives } from './list-directives.ts'
import { listFrontCode } from './list-front-code.ts'
import { listMdxCode } from './list-mdx-code.ts'
import { listSettingCode } from './list-setting-code.ts'
import { listVueCode } from './list-vue-code.ts'
import { listYamlTags } from './list-yaml-tags.ts'
import type { PageCode } from './page-code.ts'

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
  const directives = listDirectives(text, {
    path,
    root: site.root,
    folders,
    forms: new Set(Object.keys(site.framework.includes ?? {}).filter(isIncludeForm)),
    mentions: (word) => config !== null && typeof config !== 'string' && config.text.includes(word),
    exists: (one) => side.isIncludable(one),
  })
  if (!PAGE.test(path)) return directives
  const dialect = /\.mdx$/i.test(path) ? site.dialects.mdx : site.dialects.md
  const folder = toFolder(path)
  const { body, lines } = splitFrontmatter(text)
  const code = isMdx(dialect)
    ? listMdxCode(text, dialect, folder)
    : isVue(dialect)
      ? listVueCode(body, dialect === 'vue-math', folder).map((one) => ({ ...one, line: one.line + lines }))
      : []
  return [...listFrontCode(text), ...code, ...directives]
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** `shortcode` names a template, and not a file. */
const isIncludeForm = (form: string): form is IncludeForm => form !== 'shortcode'

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

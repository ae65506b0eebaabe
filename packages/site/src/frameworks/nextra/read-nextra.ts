import { findProperty, findText, toProperties } from '../../config/literal.ts'
import { unwrap } from '../../config/unwrap.ts'
import { toFolder, toName } from '../../pages/paths.ts'
import { addEntry, blur, buildDraft, buildSite, noteFile, type ReadSite } from '../build-site.ts'
import type { ContentFolder } from '../site.ts'

export const META = /(?:^|\/)_meta(?:\.[a-z]{2}(?:-[A-Za-z]{2,4})?)?\.(?:json|[cm]?[jt]sx?)$/
const BASE = /(?:^|\/)(?:pages|content|app)$/

/**
 * Reads a Nextra site. `_meta` files next to the pages define their order and titles. Pages without
 * an entry are also shown.
 */
export const readNextra: ReadSite = async (files, first) => {
  const base = toBaseFolder(toFolder(first))
  const root = toFolder(base).replace(/(?:^|\/)src$/, '')
  const draft = buildDraft(first)
  draft.mode = 'all'
  const metas = files
    .below(base)
    .filter((path) => META.test(path))
    .slice(0, 500)
  const codes = new Set(
    files.below(base).flatMap((path) => (/\.[jt]sx?$/.test(path) ? [path.replace(/\.[jt]sx?$/, '')] : [])),
  )
  for (const path of metas) {
    const file = await files.open(path)
    if (file === null) continue
    noteFile(draft, file)
    const at = await unwrap(files, { file, literal: file.literal ?? { kind: 'unknown', start: 0, end: 0 } })
    if (at.literal.kind !== 'object' || !at.literal.whole) blur(draft)
    const folder = toFolder(path)
    for (const { key, keyStart, keyEnd, value } of toProperties(at.literal)) {
      const type = findText(value, 'type')
      const elsewhere = findProperty(value, 'href') !== null || findProperty(value, 'items') !== null
      if (key === '*' || key.startsWith('--') || elsewhere || (type !== null && type !== 'page' && type !== 'doc'))
        continue
      const stem = folder === '' ? key : `${folder}/${key}`
      const route =
        toName(base) === 'app' ? [`${stem}/page.mdx`, `${stem}/page.md`, `${stem}/page.tsx`, `${stem}/page.jsx`] : []
      const candidates = [`${stem}.mdx`, `${stem}.md`, ...route, `${stem}/index.mdx`, `${stem}/index.md`]
      // Entries may also name a folder of pages or a route that is implemented in code.
      const exact = !codes.has(stem) && !files.hasFolder(stem)
      const literal = { kind: 'string' as const, value: key, start: keyStart, end: keyEnd }
      const label = value.kind === 'string' ? value.value : findText(value, 'title')
      addEntry(files, draft, { file: at.file, literal }, { trail: label === null ? [] : [label], candidates, exact })
    }
  }
  const config = files.paths.find((path) => toFolder(path) === root && /^next\.config\.[cm]?[jt]s$/.test(toName(path)))
  const next = config === undefined ? null : await files.open(config)
  // `next.config` may rewrite URLs.
  const rewritten = /\b(?:basePath|rewrites|i18n)\b/.test(next?.text ?? '')
  const dynamic = files.below(base).some((path) => path.includes('['))
  const content: ContentFolder[] = [{ folder: base, url: '/', kind: 'docs', language: null }]
  return buildSite(
    {
      root,
      config: first,
      content,
      publicFolders: [root === '' ? 'public' : `${root}/public`],
      addresses: rewritten || dynamic ? 'unknown' : 'known',
    },
    draft,
  )
}

/**
 * Returns the route folder that a `_meta` file belongs to: the outermost `pages`, `content` or
 * `app` folder, or else the file's folder.
 */
function toBaseFolder(folder: string): string {
  const parts = folder.split('/')
  for (let length = 1; length <= parts.length; length += 1) {
    const path = parts.slice(0, length).join('/')
    if (BASE.test(path)) return path
  }
  return folder
}

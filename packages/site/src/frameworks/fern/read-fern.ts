import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, type Literal, toItems, toProperties } from '../../config/literal.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'
import {
  addEntry,
  addGenerated,
  blur,
  buildDraft,
  buildSite,
  enterNode,
  type NavigationDraft,
  noteFile,
  type ReadSite,
  toRedirect,
} from '../build-site.ts'
import type { SiteRedirect } from '../site.ts'

/**
 * Reads a Fern site: `docs.yml` and its product and version files. URLs derive from section titles
 * and slugs and are not modeled.
 */
export const readFern: ReadSite = async (files, config) => {
  const file = await files.open(config)
  if (file === null) return null
  const root = toFolder(config)
  const draft = buildDraft(config)
  noteFile(draft, file)
  if (file.literal === null) blur(draft)
  await readPart(files, draft, { file, literal: file.literal ?? { kind: 'unknown', start: 0, end: 0 } }, 0)
  const languages = toItems(findProperty(file.literal, 'languages')).flatMap((item) =>
    item.kind === 'string' ? [item.value] : [],
  )
  const list = findProperty(file.literal, 'redirects')
  const redirects = toItems(list).flatMap((item): SiteRedirect[] => {
    const redirect = toRedirect(
      files,
      { file, literal: item },
      findProperty(item, 'source'),
      findProperty(item, 'destination'),
    )
    return redirect === null ? [] : [redirect]
  })
  return buildSite(
    {
      root,
      config,
      content: [{ folder: root, url: '/', kind: 'docs', language: null }],
      publicFolders: [root],
      languages,
      addresses: 'unknown',
    },
    draft,
    redirects,
    [config],
    list === null || list.kind === 'array',
  )
}

/** Reads a file with a `navigation`. Products and versions reference additional files. */
async function readPart(files: ConfigFiles, draft: NavigationDraft, at: Located, depth: number): Promise<void> {
  const { file, literal } = at
  const navigation = findProperty(literal, 'navigation')
  if (navigation !== null) visit(files, draft, { file, literal: navigation }, [])
  for (const { value } of toProperties(findProperty(literal, 'tabs'))) visit(files, draft, { file, literal: value }, [])
  const landing = findProperty(literal, 'landing-page')
  if (landing !== null) visit(files, draft, { file, literal: landing }, [])
  for (const item of [...toItems(findProperty(literal, 'products')), ...toItems(findProperty(literal, 'versions'))]) {
    const named = findText(item, 'path')
    const path = named === null ? null : joinPath(toFolder(file.path), named)
    const part = path === null || draft.files.includes(path) || depth > 4 ? null : await files.open(path)
    if (part === null) {
      if (named !== null && path !== null && !draft.files.includes(path)) blur(draft)
      continue
    }
    noteFile(draft, part)
    if (part.literal === null) blur(draft)
    else await readPart(files, draft, { file: part, literal: part.literal }, depth + 1)
  }
}

function visit(files: ConfigFiles, draft: NavigationDraft, at: Located, trail: readonly string[]): void {
  const { file, literal } = at
  if (!enterNode(draft)) return
  const child = (value: Literal, label: string | null) =>
    visit(files, draft, { file, literal: value }, label === null ? trail : [...trail, label])
  if (literal.kind === 'array') {
    for (const item of literal.items) child(item, null)
    return
  }
  if (literal.kind !== 'object') return
  const page = findText(literal, 'page')
  const label = page ?? findText(literal, 'section') ?? findText(literal, 'tab') ?? findText(literal, 'api')
  const inner = label === null ? trail : [...trail, label]
  const path = findProperty(literal, 'path')
  if (path?.kind === 'string') {
    const full = joinPath(toFolder(file.path), path.value)
    addEntry(files, draft, { file, literal: path }, { trail: inner, candidates: full === null ? [] : [full] })
  }
  for (const key of ['folder', 'changelog']) {
    const folder = findText(literal, key)
    const generated = folder === null ? null : joinPath(toFolder(file.path), folder)
    if (generated !== null) addGenerated(draft, generated)
  }
  for (const { key, value } of toProperties(literal)) {
    if (/^(?:contents|layout|navigation|variants|items)$/.test(key)) child(value, label)
  }
}

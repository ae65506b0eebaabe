import { readNavigation, toFolder, toPagePaths } from '../checks/read-navigation.ts'
import { decodeText } from './text-file.ts'
import type { Workspace } from './workspace.ts'

export interface NavPosition {
  /** The navigation file that was read. */
  readonly file: string
  /** Where it puts the page, as group names; null when it does not name it. */
  readonly trail: readonly string[] | null
}

/** Where the nearest `docs.json`, `mint.json` or `mkdocs.yml` puts a page; null when there is none that lists its pages. */
export async function findNavPosition(workspace: Workspace, page: string): Promise<NavPosition | null> {
  if (!/\.(mdx?|markdown)$/i.test(page)) return null
  for (let folder: string | null = toFolder(page); folder !== null; folder = folder === '' ? null : toFolder(folder)) {
    for (const name of ['docs.json', 'mint.json', 'mkdocs.yml', 'mkdocs.yaml']) {
      const file = folder === '' ? name : `${folder}/${name}`
      if ((await workspace.find(file))?.kind !== 'file') continue
      const decoded = decodeText(await workspace.read(file))
      if (typeof decoded === 'string') continue
      const position = name.endsWith('.json') ? findInJson(decoded.text, folder, page) : findInYaml(decoded.text, page)
      if (position !== null) return { file, trail: position === 'absent' ? null : position }
    }
  }
  return null
}

type Found = readonly string[] | 'absent' | null

function findInJson(text: string, folder: string, page: string): Found {
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    return null
  }
  const entries = readNavigation(config)
  if (entries.length === 0) return null
  return entries.find((entry) => toPagePaths(entry.page, folder).includes(page))?.trail ?? 'absent'
}

/** mkdocs.yml may hold tags that only MkDocs can read, so it is searched as text. */
function findInYaml(text: string, page: string): Found {
  if (!/^nav:/m.test(text)) return null
  const folder = /^docs_dir:\s*["']?([^"'\s#]+)/m.exec(text)?.[1]?.replace(/^\.\//, '') ?? 'docs'
  const inDocs = page.includes(`${folder}/`) ? page.slice(page.indexOf(`${folder}/`) + folder.length + 1) : page
  return text.includes(inDocs) ? [] : 'absent'
}

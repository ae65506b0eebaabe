import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, type Literal } from '../../config/literal.ts'
import { isBelow, joinPath, PAGE, toFolder, toName } from '../../pages/paths.ts'
import { addEntry, blur, enterNode, type NavigationDraft, noteFile } from '../build-site.ts'

/** Matches the navigation files of awesome-nav and awesome-pages, which apply to their folder. */
export const FOLDER_NAV = /^(?:\.nav\.ya?ml|\.pages)$/

interface NavTarget {
  readonly files: ConfigFiles
  readonly draft: NavigationDraft
  /** The folders that pages are relative to, preferred one first. */
  readonly folders: readonly string[]
  /** The main language if it is a suffix of file names (`page.en.md`). */
  readonly suffix?: string | undefined
}

/** Reads a `nav`: a list of pages, titled pages and sections. */
export function readNav(target: NavTarget, at: Located, trail: readonly string[] = []): void {
  const { file, literal } = at
  const read = (value: Literal, around: readonly string[]) => readNav(target, { file, literal: value }, around)
  if (!enterNode(target.draft)) return
  if (literal.kind === 'unknown') blur(target.draft)
  else if (literal.kind === 'array') for (const item of literal.items) read(item, trail)
  else if (literal.kind === 'object') for (const { key, value } of literal.properties) read(value, [...trail, key])
  else if (literal.kind === 'string') addPage(target, at, literal.value, trail)
}

/** Reads the navigation files of awesome-nav and awesome-pages. */
export async function readFolderNavs(files: ConfigFiles, draft: NavigationDraft, docs: string): Promise<void> {
  for (const path of files.paths) {
    if (!isBelow(path, docs) || !FOLDER_NAV.test(toName(path))) continue
    const file = await files.open(path)
    if (file === null) continue
    noteFile(draft, file)
    const literal = findProperty(file.literal, 'nav')
    if (literal !== null) readNav({ files, draft, folders: [toFolder(path)] }, { file, literal })
  }
}

function addPage(
  { files, draft, folders, suffix }: NavTarget,
  at: Located,
  page: string,
  trail: readonly string[],
): void {
  if (page === '' || /^([a-z][a-z0-9+.-]*:|\/\/|\/|#)/i.test(page) || /[?#]/.test(page)) return
  // Plugins process `*.md`, `section/` and `!include`.
  if (/[*!|]/.test(page) || !PAGE.test(page)) return
  const names = suffix === undefined ? [page] : [page, page.replace(/(?=\.[^.]+$)/, `.${suffix}`)]
  const candidates = folders.flatMap((folder) => names.flatMap((name) => joinPath(folder, name) ?? []))
  addEntry(files, draft, at, { trail, candidates, exact: true })
}

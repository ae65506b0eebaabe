import type { Site } from '../frameworks/framework.ts'
import type { ContentFolder } from '../frameworks/site.ts'
import { isBelow } from '../pages/paths.ts'
import type { Comparison } from './comparison.ts'

/**
 * Compares everything in a site except its entries and redirects. Returns the first unintended
 * difference, or null.
 */
export function compareFields(comparison: Comparison, site: Site, now: Site): string | null {
  const { repository, toPath } = comparison
  const name = site.config ?? 'the repository'
  const faults = new Set(site.faults.map(({ path, code, detail }) => `${toPath(path)}: ${code} ${detail}`))
  const fault = now.faults.find(({ path, code, detail }) => !faults.has(`${path}: ${code} ${detail}`))
  if (fault !== undefined) return `${fault.path} would become ${fault.code}: ${fault.detail}`
  const files = new Set(site.navigation.files.map(toPath))
  const file = now.navigation.files.find((path) => !files.has(path))
  if (file !== undefined) return `${file} would be read as navigation`
  if (now.navigation.mode !== site.navigation.mode)
    return `${name}: the navigation would change from "${site.navigation.mode}" to "${now.navigation.mode}"`
  const { generated, omitted } = site.navigation
  const folders = new Set(generated.flatMap((folder) => [folder, toNewFolder(comparison, folder)]))
  if (now.navigation.generated.some((folder) => !folders.has(folder)))
    return `${name}: a different folder would be added to the navigation automatically`
  const isKept = (folder: string) => repository.paths.some((path) => isBelow(path, folder) && toPath(path) === path)
  const isAutomatic = (folder: string) =>
    now.navigation.generated.some((one) => one === folder || one === toNewFolder(comparison, folder))
  const missing = generated.find((folder) => !isAutomatic(folder) && isKept(folder))
  if (missing !== undefined) return `${name}: ${missing} would no longer be added to the navigation automatically`
  if (String(now.navigation.omitted) !== String(omitted))
    return `${name}: different pages would be omitted from the navigation`
  return compareContent(comparison, site, now, name)
}

function compareContent(comparison: Comparison, site: Site, now: Site, name: string): string | null {
  const { repository, toPath } = comparison
  const toKey = ({ folder, url, kind, language }: ContentFolder) => JSON.stringify([folder, url, kind, language])
  const found = new Set(now.content.map(toKey))
  const lost = site.content.filter((content) => {
    const folder = toNewFolder(comparison, content.folder)
    if (found.has(toKey({ ...content, folder }))) return false
    // The URL and the language of a folder may derive from its path.
    return folder === content.folder || now.content.every((one) => one.folder !== folder || one.kind !== content.kind)
  })
  const kept = lost.find(({ folder }) =>
    repository.paths.some((path) => isBelow(path, folder) && toPath(path) === path),
  )
  if (kept !== undefined) return `${name}: ${kept.folder || 'the root'} would no longer be the same folder of pages`
  const folders = new Set(site.content.map(({ folder }) => toNewFolder(comparison, folder)))
  const added = now.content.find(({ folder }) => !folders.has(folder))
  if (added !== undefined) return `${name}: ${added.folder} would become a folder of pages`
  const gone = new Set(lost.map(({ language }) => language))
  const renamed = site.content.some(({ folder }) => toNewFolder(comparison, folder) !== folder)
  const languages = site.languages.filter((language) => !gone.has(language))
  return renamed || String(now.languages) === String(languages) || String(now.languages) === String(site.languages)
    ? null
    : `${name}: the languages would change from ${site.languages.join(', ')} to ${now.languages.join(', ')}`
}

/** Returns a folder's path after the change if all its files are moved together. */
function toNewFolder({ repository, change, toPath }: Comparison, folder: string): string {
  if (folder === '') return folder
  const [from, to] = [...change.moves].find(([path]) => isBelow(path, folder)) ?? []
  const inner = from?.slice(folder.length)
  if (inner === undefined || typeof to !== 'string' || !to.endsWith(inner)) return folder
  const target = to.slice(0, -inner.length)
  const isMoved = (path: string) => !isBelow(path, folder) || toPath(path) === `${target}${path.slice(folder.length)}`
  return repository.paths.every(isMoved) ? target : folder
}

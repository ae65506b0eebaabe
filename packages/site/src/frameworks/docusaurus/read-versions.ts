import type { ConfigFiles } from '../../config/config-files.ts'
import { findText, type Literal } from '../../config/literal.ts'
import { isBelow, joinPath, PAGE } from '../../pages/paths.ts'
import { toTexts } from '../build-site.ts'

/** One version of a documentation plugin. */
export interface Version {
  /** As in `versions.json`, or `current`. */
  readonly name: string
  readonly folder: string
  readonly url: string
  /** Its file with sidebars; null for `current`, whose file is configured. */
  readonly sidebars: string | null
}

interface Place {
  readonly root: string
  /** Id of the plugin instance. */
  readonly id: string
  /** Folder of the current version. */
  readonly folder: string
  readonly url: string
  readonly options: Literal | null
}

/**
 * Returns the versions of a documentation plugin, the current one first. The latest version is
 * served at the plugin's URL, the current one at `/next`, and others at their name, unless the
 * options say otherwise. Returns null if the list of versions cannot be read.
 */
export async function readVersions(files: ConfigFiles, place: Place): Promise<Version[] | null> {
  const { root, id, folder, url, options } = place
  const prefix = id === 'default' ? '' : `${id}_`
  const toInRoot = (name: string) => joinPath(root, `${prefix}${name}`) ?? ''
  const file = await files.open(toInRoot('versions.json'))
  const hasFolder = files.hasFolder(toInRoot('versioned_docs'))
  const current = { name: 'current', folder, sidebars: null }
  if (file === null && !hasFolder) return [{ ...current, url }]
  if (file === null || file.literal?.kind !== 'array') return null
  const names = toTexts(file.literal)
  const last = findText(options, 'lastVersion') ?? names[0] ?? 'current'
  const toUrl = (name: string) => {
    const own = findText(options, 'versions', name, 'path') ?? (name === last ? '' : name === 'current' ? 'next' : name)
    const path = own.replace(/^\/+|(?<!\/)\/+$/g, '')
    return path === '' ? url : `${url === '/' ? '' : url}/${path}`
  }
  return [
    { ...current, url: toUrl('current') },
    ...names.map((name) => ({
      name,
      folder: toInRoot(`versioned_docs/version-${name}`),
      url: toUrl(name),
      sidebars: toInRoot(`versioned_sidebars/version-${name}-sidebars.json`),
    })),
  ]
}

/** Returns the folder with the translations of a version, or null if it has no pages. */
export function findTranslation(files: ConfigFiles, { root, id }: Place, locale: string, version: string) {
  const plugin = id === 'default' ? 'docusaurus-plugin-content-docs' : `docusaurus-plugin-content-docs-${id}`
  const name = version === 'current' ? version : `version-${version}`
  const folder = joinPath(root, `i18n/${locale}/${plugin}/${name}`)
  const hasPages = folder !== null && files.hasFolder(folder)
  return hasPages && files.below(folder).some((path) => PAGE.test(path) && isBelow(path, folder)) ? folder : null
}

import type { Workspace } from '@corrigenda/git/workspace'
import { ALL_FRAMEWORKS } from '@corrigenda/site/sites'
import type { ConfiguredLocales } from './find-locales.ts'
import { toLocaleCode } from './locale-name.ts'

const MAX_BYTES = 2_097_152
const MAX_SITES = 20

/**
 * Returns the languages defined in the base commit's site configuration files. Skips files that
 * cannot be read.
 */
export async function readConfiguredLocales(
  workspace: Pick<Workspace, 'listBase' | 'readBase'>,
): Promise<ConfiguredLocales[]> {
  const entries = (await workspace.listBase()).flatMap(({ path, kind }) => {
    const framework = ALL_FRAMEWORKS.find(
      ({ readLanguages, detections }) => readLanguages && detections.some(({ config }) => config.test(path)),
    )
    return kind === 'file' && framework !== undefined ? [{ path, framework }] : []
  })
  const found: ConfiguredLocales[] = []
  for (const { path, framework } of entries.slice(0, MAX_SITES)) {
    const bytes = await workspace.readBase(path)
    if (bytes === null || bytes.length > MAX_BYTES) continue
    const languages = framework.readLanguages?.(bytes) ?? []
    if (languages.length === 0) continue
    const [first] = languages
    const source = languages.find(({ isDefault }) => isDefault) ?? first
    found.push({
      root: path.split('/').slice(0, -1).join('/'),
      languages: languages.map(({ code }) => toLocaleCode(code)),
      source: source === undefined ? null : toLocaleCode(source.code),
    })
  }
  return found
}

import type { Workspace } from '@corrigenda/git/workspace'
import type { ConfiguredLocales } from './find-locales.ts'
import { toLocaleCode } from './locale-name.ts'

const CONFIG = /(^|\/)(docs|mint)\.json$/
const MAX_BYTES = 2_097_152
const MAX_SITES = 20

/** What `docs.json` and `mint.json` say about languages at the base commit. What cannot be read says nothing: folders tell, too. */
export async function readConfiguredLocales(
  workspace: Pick<Workspace, 'listBase' | 'readBase'>,
): Promise<ConfiguredLocales[]> {
  const entries = (await workspace.listBase()).filter(({ path, kind }) => kind === 'file' && CONFIG.test(path))
  const found: ConfiguredLocales[] = []
  for (const { path } of entries.slice(0, MAX_SITES)) {
    const bytes = await workspace.readBase(path)
    if (bytes === null || bytes.length > MAX_BYTES) continue
    const languages = toLanguages(bytes)
    if (languages.length === 0) continue
    found.push({
      root: path.split('/').slice(0, -1).join('/'),
      languages: languages.map(({ code }) => code),
      source: languages.find(({ isDefault }) => isDefault)?.code ?? languages[0]?.code ?? null,
    })
  }
  return found
}

function toLanguages(bytes: Uint8Array): { code: string; isDefault: boolean }[] {
  try {
    const languages: unknown = Object(Object(JSON.parse(new TextDecoder().decode(bytes))).navigation).languages
    if (!Array.isArray(languages)) return []
    return languages.slice(0, 100).flatMap((one: unknown) => {
      const { language, default: isDefault } = Object(one)
      return typeof language === 'string' ? [{ code: toLocaleCode(language), isDefault: isDefault === true }] : []
    })
  } catch {
    return []
  }
}

import type { ConfigFile, ConfigFiles } from '../config/config-files.ts'
import { findProperty, findText, type Literal, toProperties } from '../config/literal.ts'
import { parseJson } from '../config/parse-script.ts'
import { readJsonLiteral } from '../config/read-script-literal.ts'
import { joinPath, toFolder } from '../pages/paths.ts'
import { toTexts } from './build-site.ts'
import type { ImportAlias, SiteReading } from './site.ts'

const MAX_ALIASES = 50

/**
 * Reads the import aliases that end with a slash from `paths` of the nearest `tsconfig.json` or
 * `jsconfig.json` that has them.
 */
export async function readAliases(files: ConfigFiles, { root, config }: SiteReading): Promise<readonly ImportAlias[]> {
  if (config === null) return []
  for (let folder = root; ; folder = toFolder(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const file = await files.open(folder === '' ? name : `${folder}/${name}`)
      const literal = file === null ? null : toLiteral(file)
      const paths = findProperty(literal, 'compilerOptions', 'paths')
      if (paths !== null)
        return toAliases(paths, joinPath(folder, findText(literal, 'compilerOptions', 'baseUrl') ?? ''))
    }
    if (folder === '') return []
  }
}

/** These files may contain comments and trailing commas. */
function toLiteral(file: ConfigFile): Literal | null {
  if (file.literal !== null) return file.literal
  try {
    return readJsonLiteral(parseJson(file.text), file)
  } catch {
    // A file that does not parse defines no aliases. Other tools report it.
    return null
  }
}

function toAliases(paths: Literal, base: string | null): ImportAlias[] {
  if (base === null) return []
  return toProperties(paths)
    .slice(0, MAX_ALIASES)
    .flatMap(({ key, value }) => {
      const folders = toTexts(value).flatMap((path) =>
        path.endsWith('*') ? (joinPath(base, path.slice(0, -1)) ?? []) : [],
      )
      return key.endsWith('/*') ? [{ prefix: key.slice(0, -1), folders }] : []
    })
}

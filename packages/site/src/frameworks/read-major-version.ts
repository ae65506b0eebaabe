import type { ConfigFiles } from '../config/config-files.ts'
import { findText } from '../config/literal.ts'
import { toFolder } from '../pages/paths.ts'

const GROUPS = ['dependencies', 'devDependencies', 'peerDependencies']

/**
 * Returns the major version of an npm package that the nearest `package.json` with that dependency
 * requires. Returns null if it is not a number, as in `latest` or `workspace:*`.
 */
export async function readMajorVersion(files: ConfigFiles, config: string, name: string): Promise<number | null> {
  for (let folder = toFolder(config); ; folder = toFolder(folder)) {
    const file = await files.open(folder === '' ? 'package.json' : `${folder}/package.json`)
    for (const group of GROUPS) {
      const range = findText(file?.literal, group, name)
      if (range === null) continue
      const major = /^(?:npm:[^ ]*@)?[\^~>=v ]{0,5}(\d{1,4})(?:\.|$)/.exec(range)?.[1]
      return major === undefined ? null : Number(major)
    }
    if (folder === '') return null
  }
}

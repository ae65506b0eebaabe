import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findText } from '../../config/literal.ts'
import { joinPath, toFolder } from '../../pages/paths.ts'

const MAX_PARENTS = 5

/** Returns a configuration and those it inherits from (`INHERIT: ../base.yml`), nearest first. */
export async function readInherited(files: ConfigFiles, own: Located): Promise<Located[]> {
  const chain = [own]
  while (chain.length <= MAX_PARENTS) {
    const parent = await findParent(files, chain)
    if (parent === null) break
    chain.push(parent)
  }
  return chain
}

async function findParent(files: ConfigFiles, chain: readonly Located[]): Promise<Located | null> {
  const last = chain.at(-1)
  const inherited = findText(last?.literal, 'INHERIT')
  const path = last === undefined || inherited === null ? null : joinPath(toFolder(last.file.path), inherited)
  if (path === null || chain.some(({ file }) => file.path === path)) return null
  const file = await files.open(path)
  return file?.literal ? { file, literal: file.literal } : null
}

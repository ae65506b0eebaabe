import type { ConfigFiles } from '../config/config-files.ts'
import type { IgnoreRule } from '../frameworks/site.ts'
import { isUnpublished } from '../pages/is-unpublished.ts'
import { toFolder } from '../pages/paths.ts'

/** Maximum number of `.gitignore` files that are read. */
const MAX_FILES = 100

/** Reads the repository's `.gitignore` files. */
export async function readGitIgnores(files: ConfigFiles): Promise<IgnoreRule[]> {
  const paths = files.paths.filter((path) => /(?:^|\/)\.gitignore$/.test(path) && !isUnpublished(path))
  const opened = await Promise.all(paths.slice(0, MAX_FILES).map((path) => files.open(path)))
  return opened.flatMap((file) =>
    file === null ? [] : [{ folder: toFolder(file.path), patterns: file.text.split('\n') }],
  )
}

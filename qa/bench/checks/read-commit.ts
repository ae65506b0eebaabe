import { openObjects } from '../../check-history/open-objects.ts'
import { runGit } from '../../check-history/run-git.ts'
import type { DocsFile } from './build-docs.ts'

/**
 * Reads the files of a commit in a local clone. Objects that a partial clone lacks are read as
 * empty files.
 */
export async function readCommit(folder: string, commit: string): Promise<DocsFile[]> {
  const objects = openObjects(folder)
  try {
    const entries = await objects.listTree((await runGit(folder, ['rev-parse', commit])).trim())
    const files = entries.filter(({ mode }) => mode.startsWith('100'))
    // A partial clone lacks some large files. They are read as empty.
    return await Promise.all(
      files.map(async ({ path, oid }) => ({ path, bytes: await objects.readBlob(oid).catch(() => new Uint8Array()) })),
    )
  } finally {
    objects.close()
  }
}

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { toRepositoryPath } from '../host/host-state.ts'
import type { FileChanges } from '../host/types.ts'
import { buildFastImport } from './fast-import.ts'
import { buildGitEnvironment, runGit, runGitBytes } from './run-git.ts'

export interface NewRepository {
  readonly commits: readonly { readonly message: string; readonly files: FileChanges; readonly at?: Date }[]
  /** Default: `main`. */
  readonly branch?: string
  readonly author?: { readonly name: string; readonly email: string }
}

const FIRST_COMMIT = Date.UTC(2026, 0, 5, 9)
const HOUR = 3_600_000
const DEMO_AUTHOR = { name: 'Robin Marsh', email: 'robin@example.com' }

/**
 * Creates the bare repository `<root>/<owner>/<name>.git` and its history with one `git
 * fast-import`. Commits without a time are one hour apart, so that the same input produces the same
 * commit IDs. Throws if the repository already exists.
 */
export async function createRepository(
  where: string | { readonly root: string },
  full: string,
  { commits, branch = 'main', author = DEMO_AUTHOR }: NewRepository,
): Promise<void> {
  const dir = toRepositoryPath(typeof where === 'string' ? where : where.root, full)
  if (existsSync(dir)) throw new Error(`The repository ${full} already exists`)
  await mkdir(dirname(dir), { recursive: true })
  const init = ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, dir]
  await promisify(execFile)('git', init, { env: buildGitEnvironment() })
  await runGit(dir, 'config', 'http.receivepack', 'true')
  if (commits.length === 0) return
  const input = buildFastImport(
    `refs/heads/${branch}`,
    null,
    commits.map((commit, i) => ({ ...commit, author, at: commit.at ?? new Date(FIRST_COMMIT + i * HOUR) })),
  )
  await runGitBytes({ dir, args: ['fast-import', '--quiet', '--done'], input })
}

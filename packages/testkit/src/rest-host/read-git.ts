import { findInGit, HttpError, type PullRequest, type Repository, runGit } from '@corrigenda/demo/git-host'

/** Returns the entries of a tree. @throws HttpError 404 */
export async function listTree(dir: string, tree: string, ...options: string[]) {
  const output = await findInGit(dir, 'ls-tree', '-z', ...options, tree)
  if (output === null) throw new HttpError(404, '404 Tree Not Found')
  return output
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const [, mode = '', type = '', id = '', path = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(row) ?? []
      return { mode, type, id, path, name: path.split('/').at(-1) ?? '' }
    })
}

/** Returns the bytes of a file in base64. @throws HttpError 404 */
export async function readFile(dir: string, commit: string | null, path: string): Promise<string> {
  const object = commit && (await findInGit(dir, 'rev-parse', '--quiet', '--verify', `${commit}:${path}`))
  if (!object || (await runGit(dir, 'cat-file', '-t', object)) !== 'blob')
    throw new HttpError(404, '404 File Not Found')
  return Buffer.from(`${await runGit(dir, 'cat-file', 'blob', object)}\n`).toString('base64')
}

export function getPull({ record }: Repository, number: string | undefined): PullRequest {
  const pull = record.pulls.find((one) => one.number === Number(number))
  if (!pull) throw new HttpError(404, '404 Not found')
  return pull
}

/** The state of each check and status of a commit, newest first. Only the newest of a name counts. */
export function listChecks({ record }: Repository, sha: string) {
  const checks = record.checkRuns
    .filter((run) => run.sha === sha)
    .map(({ name, conclusion, status }) => ({
      name,
      state: status !== 'completed' ? 'pending' : conclusion === 'success' ? 'success' : 'failure',
    }))
  const statuses = record.statuses
    .filter((status) => status.sha === sha)
    .map(({ context: name, state }) => ({ name, state: state === 'error' ? 'failure' : state }))
  const newest = new Map([...checks, ...statuses].map((one) => [one.name, one]))
  return [...newest.values()].reverse()
}

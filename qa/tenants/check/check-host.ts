import { createHash } from 'node:crypto'
import type { PullRequest } from '@corrigenda/testkit'
import type { AcmeProject, ExpectedJob } from '../acme/acme.ts'

/**
 * Checks the tenant's repository: each job with a change has exactly one pull request with exactly
 * its title, its files and its label, and no other branch or pull request exists.
 */
export async function checkHost(project: AcmeProject): Promise<string[]> {
  const { stack, repository, jobs } = project
  const found: string[] = []
  const pulls = stack.host.pulls(repository)
  const byBranch = new Map(pulls.map((pull) => [pull.headRef, pull]))
  for (const job of jobs.values()) {
    const pull = byBranch.get(`corrigenda/${job.id}`)
    byBranch.delete(`corrigenda/${job.id}`)
    for (const what of await checkPull(project, job, pull)) found.push(`${repository}: ${job.id} (${job.word}) ${what}`)
  }
  for (const branch of byBranch.keys()) found.push(`${repository}: the pull request of ${branch} is not expected`)
  const refs = await stack.host.git(repository, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads')
  for (const branch of refs.split('\n').filter((name) => name !== '' && name !== 'main')) {
    if (!jobs.has(branch.replace(/^corrigenda\//, '')))
      found.push(`${repository}: the branch ${branch} is not expected`)
  }
  const commits = await stack.host.git(repository, 'rev-list', '--count', 'main')
  if (commits.trim() !== '1') found.push(`${repository}: main has ${commits.trim()} commits`)
  const { forced, duplicates } = stack.host.stats()
  for (const { repo, ref } of forced) if (repo === repository) found.push(`${repo}: ${ref} was overwritten`)
  for (const name of Object.keys(duplicates)) {
    if (name.startsWith(`${repository}:`)) found.push(`${name} has several pull requests`)
  }
  return found
}

async function checkPull(
  { stack: { host }, repository }: AcmeProject,
  { files, title, word }: ExpectedJob,
  pull: PullRequest | undefined,
): Promise<string[]> {
  if (files === null) return pull === undefined ? [] : ['has a pull request']
  if (pull === undefined) return ['has no pull request']
  const found: string[] = []
  if (pull.title !== title) found.push(`has the pull request title ${pull.title}`)
  if (!pull.body?.includes(word)) found.push(`has the pull request text ${pull.body}`)
  if (!pull.labels.includes('quagga-label')) found.push(`has the labels ${pull.labels.join(', ')}`)
  const changed = await host.git(repository, 'diff', '--name-only', 'main', pull.headSha)
  const paths = changed.split('\n').filter(Boolean)
  if (paths.join() !== [...files.keys()].join()) found.push(`changes ${paths.join(', ')}`)
  for (const [path, text] of files) {
    const actual = await host.git(repository, 'rev-parse', `${pull.headSha}:${path}`)
    if (actual.trim() !== toBlobId(text)) {
      const shown = await host.git(repository, 'show', `${pull.headSha}:${path}`)
      found.push(`has another ${path}: ${JSON.stringify(shown)}`)
    }
  }
  const message = await host.git(repository, 'log', '-1', '--format=%B', pull.headSha)
  if (!message.includes(word)) found.push(`has the commit message ${JSON.stringify(message)}`)
  return found
}

function toBlobId(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

import { findBranchTip, noteRefUpdates } from '../git/note-ref-updates.ts'
import { findInGit } from '../git/run-git.ts'
import type { Repository } from '../host/host-state.ts'
import { HttpError, notFound } from '../host/http-error.ts'
import { NO_OBJECT } from '../host/types.ts'
import { toNodeId } from '../represent/to-account.ts'
import { findCommits, toCommit } from '../represent/to-commit.ts'
import { toFullRepository } from '../represent/to-repository.ts'
import { ok, type RepositoryContext, type RestRoutes } from './rest-route.ts'

export const repositoryRoutes: RestRoutes = {
  'repos.get': {
    access: 'repository',
    anyOf: ['metadata:read'],
    handle: async ({ state, repository }) => ok(await toFullRepository(state, repository)),
  },
  'repos.getBranch': {
    access: 'repository',
    anyOf: ['contents:read'],
    handle: async ({ state, repository, params }) => {
      const name = String(params.branch)
      const tip = await findBranchTip(repository.dir, name)
      const [facts] = (tip && (await findCommits(repository.dir, 1, tip))) || []
      if (!facts) throw new HttpError(404, 'Branch not found')
      const guarded = repository.record.protectedBranches.includes(name)
      const self = `${state.url}/api/v3/repos/${repository.full}/branches/${encodeURIComponent(name)}`
      return ok({
        name,
        commit: toCommit(state, repository, facts),
        _links: { self, html: `${state.url}/${repository.full}` },
        protected: guarded,
        protection: { enabled: guarded },
        protection_url: `${self}/protection`,
      })
    },
  },
  'git.getRef': { access: 'repository', anyOf: ['contents:read'], handle: getRef },
  'git.deleteRef': { access: 'repository', anyOf: ['contents:write'], handle: deleteRef },
}

async function getRef({ state, repository, params }: RepositoryContext) {
  const ref = `refs/${String(params.ref)}`
  const sha = await findRef(repository, ref)
  if (!sha) throw notFound()
  const api = `${state.url}/api/v3/repos/${repository.full}/git`
  const type = (await findInGit(repository.dir, 'cat-file', '-t', sha)) ?? 'commit'
  return ok({
    ref,
    node_id: toNodeId('REF', `${repository.record.id}:${ref}`),
    url: `${api}/${ref}`,
    object: { sha, type, url: `${api}/${type}s/${sha}` },
  })
}

async function deleteRef({ state, repository, params }: RepositoryContext) {
  if (repository.record.archived) throw archivedError()
  const ref = `refs/${String(params.ref)}`
  const old = await findRef(repository, ref)
  if (!old) throw new HttpError(422, 'Reference does not exist')
  if (repository.record.protectedBranches.includes(ref.replace('refs/heads/', ''))) {
    throw new HttpError(422, 'Cannot delete a protected branch')
  }
  // Git compares the ref with the value read above, so one of two concurrent deletions returns 409.
  if ((await findInGit(repository.dir, 'update-ref', '-d', ref, old)) === null) {
    throw new HttpError(409, 'Reference cannot be deleted because it was changed at the same time')
  }
  await noteRefUpdates(state, repository, 'rest', [{ ref, old, new: NO_OBJECT }])
  return { status: 204 }
}

async function findRef(repository: Repository, ref: string): Promise<string | null> {
  const valid = await findInGit(repository.dir, 'check-ref-format', ref)
  return valid === null ? null : findInGit(repository.dir, 'rev-parse', '--quiet', '--verify', ref)
}

export const archivedError = (): HttpError => new HttpError(403, 'Repository was archived so is read-only.')

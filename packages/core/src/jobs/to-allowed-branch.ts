import { BranchName, type ProjectPolicy } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'

/** Number of characters that make a branch name unique. */
const SUFFIX = 8

/**
 * Rejects a branch name that the project does not allow. Names such as `release/1` can start
 * workflows that run on every push to them.
 * @throws AppError `invalid_request`
 */
export function refuseBranch(branch: string | undefined, policy: ProjectPolicy): void {
  if (branch === undefined || isAllowed(branch, policy)) return
  const prefixes = listPrefixes(policy).map((prefix) => JSON.stringify(prefix))
  throw new AppError(
    'invalid_request',
    `The branch must start with ${prefixes.join(' or ')}. An owner can allow other names with requestedBranchPrefixes in the project settings.`,
  )
}

/**
 * Returns a branch name for a caller that does not know the project's rules: the requested name,
 * after the project's branch prefix if the project does not allow it, and with a unique end if an
 * earlier job of the project has that name. Call it under the quota lock, so that two jobs do not
 * receive the same name.
 * @throws AppError `invalid_request` if the name becomes too long
 */
export async function toAllowedBranch(
  tx: Pick<Db, '$queryRaw'>,
  { projectId, branch, policy }: { projectId: string; branch: string; policy: ProjectPolicy },
): Promise<string> {
  const name = isAllowed(branch, policy) ? branch : `${policy.branchPrefix}${branch}`
  const [used] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM jobs WHERE project_id = ${projectId} AND options ->> 'branch' = ${name} LIMIT 1`
  const free = used === undefined ? name : `${name}-${newId('').slice(-SUFFIX)}`
  if (BranchName.safeParse(free).success && isAllowed(free, policy)) return free
  throw new AppError('invalid_request', 'The branch name is too long. Send a shorter name, or omit it.')
}

const listPrefixes = (policy: ProjectPolicy): string[] => [policy.branchPrefix, ...policy.requestedBranchPrefixes]

const isAllowed = (branch: string, policy: ProjectPolicy): boolean =>
  listPrefixes(policy).some((prefix) => prefix === '*' || branch.startsWith(prefix))

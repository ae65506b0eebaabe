import { BranchName, type ProjectPolicy } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'

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
 * Returns the branch names for a caller that does not know the project's rules: the requested name,
 * after the project's branch prefix if the project does not allow it, and another one with a unique
 * end, for the case that an earlier job of the project has that name. The other one is null if it is
 * too long.
 * @throws AppError `invalid_request` if the name becomes too long
 */
export function toAllowedBranches(branch: string, policy: ProjectPolicy): { name: string; other: string | null } {
  const name = isAllowed(branch, policy) ? branch : `${policy.branchPrefix}${branch}`
  const other = `${name}-${newId('').slice(-SUFFIX)}`
  const isValid = (text: string) => BranchName.safeParse(text).success && isAllowed(text, policy)
  if (!isValid(name)) throw toBranchError()
  return { name, other: isValid(other) ? other : null }
}

export const toBranchError = () =>
  new AppError('invalid_request', 'The branch name is too long. Send a shorter name, or omit it.')

const listPrefixes = (policy: ProjectPolicy): string[] => [policy.branchPrefix, ...policy.requestedBranchPrefixes]

const isAllowed = (branch: string, policy: ProjectPolicy): boolean =>
  listPrefixes(policy).some((prefix) => prefix === '*' || branch.startsWith(prefix))

import type { FailureCode } from '@corrigenda/contracts'
import { type CodeTexts, HOST_REASON } from './code-texts.ts'

const RUN_FSCK = 'Check the repository with `git fsck`, then retry.'
const FIX_BASE = 'Correct the base branch in the job or the project.'

/** Explanations of the failure codes for repositories, branches and pull requests. */
export const REPOSITORY_CODES = {
  repository_branch_not_found: { area: 'repository', meaning: 'The base branch does not exist.', remedy: FIX_BASE },
  repository_build_failed: {
    area: 'repository',
    meaning: 'Writing the repository mirror failed or was interrupted several times.',
    remedy: 'Check the disk space and the permissions of `CACHE_DIR`, then retry.',
  },
  repository_commit_not_found: {
    area: 'repository',
    meaning: "The job's base commit is no longer on the host.",
    remedy: 'Retry. A new job starts from the newest commit.',
  },
  repository_corrupt_pack: {
    area: 'repository',
    meaning: 'The host repeatedly sent inconsistent data.',
    remedy: RUN_FSCK,
  },
  repository_empty_repository: {
    area: 'repository',
    meaning: 'The repository has no commits.',
    remedy: 'Push an initial commit.',
  },
  repository_hostile_tree: {
    area: 'repository',
    meaning: 'The repository contains file names that a normal Git client never writes.',
    remedy: 'Remove these files.',
  },
  repository_not_allowed: {
    area: 'repository',
    meaning: "The project's host is no longer among the allowed hosts.",
    remedy: 'Check `ALLOWED_REPOSITORY_HOSTS`.',
  },
  repository_object_not_found: {
    area: 'repository',
    meaning: 'The host repeatedly omitted an object that the commit refers to.',
    remedy: RUN_FSCK,
  },
  repository_too_large: {
    area: 'repository',
    meaning: "The repository exceeds Corrigenda's limits.",
    remedy: 'Use a smaller repository.',
  },
  repository_unreadable_tree: {
    area: 'repository',
    meaning: 'The repository contains entries that Corrigenda cannot read.',
    remedy: 'Check the repository with `git fsck`.',
  },

  branch_conflict: {
    area: 'publish',
    meaning: 'The branch has commits from another author, or it is the base branch.',
    remedy: 'Choose a different branch, or delete the existing one.',
    details: 'A follow-up restarts at most three times when users push to its branch. Then it fails with this code.',
  },
  branch_gone: {
    area: 'publish',
    meaning: "The job's branch was deleted, so a follow-up cannot continue.",
    remedy: 'Create a new job.',
  },
  branch_protected: {
    area: 'publish',
    meaning: 'A ruleset, branch protection or a hook on the host rejected the push.',
    remedy: 'Allow the token to push such branches, or choose a different branch.',
    details: HOST_REASON,
  },
  pull_request_closed: {
    area: 'publish',
    meaning: 'The pull request was merged or closed before the follow-up pushed to it.',
    remedy: 'Create a new job.',
    details: 'The follow-up pushed nothing.',
  },
  pull_request_conflict: {
    area: 'publish',
    meaning: 'The pull request already belongs to another job.',
    remedy: 'Choose a different branch.',
  },
  pull_request_head_mismatch: {
    area: 'publish',
    meaning: "A user replaced the commit on the job's branch.",
    remedy: 'Delete the branch, then retry.',
  },
  pull_request_invalid_base: { area: 'publish', meaning: 'The base branch does not exist.', remedy: FIX_BASE },
  pull_request_invalid_head: {
    area: 'publish',
    meaning: "The job's branch was deleted before the pull request was opened.",
    remedy: 'Retry.',
  },
  pull_request_no_commits: {
    area: 'publish',
    meaning: 'The base branch already contains the change.',
    remedy: 'No action is needed.',
  },
  rejected: {
    area: 'publish',
    meaning: 'The host rejected the push without naming a rule.',
    remedy: 'Read the failure message, fix the cause and retry.',
  },
  source_unavailable: {
    area: 'repository',
    meaning: 'A source of the project cannot be read.',
    remedy: 'Check its repository, branch and credential, or remove it from the project settings.',
    details:
      'The failure message names the source and the reason. The code also applies if the request names a source that was removed or renamed before the run started. A job can also leave out the source.',
  },
} satisfies Partial<Record<FailureCode, CodeTexts>>

import type { FailureCode } from '@corrigenda/contracts'

export const CODE_AREAS = {
  work: 'The work of the agent',
  service: 'The service',
  model: 'The model API',
  host: 'The Git host',
  app: 'Credentials and the GitHub App',
  repository: 'The repository',
  publish: 'The branch and the pull request',
} as const

interface CodeTexts {
  readonly area: keyof typeof CODE_AREAS
  /** At most 90 characters, as `remedy`. */
  readonly meaning: string
  readonly remedy: string
  /** More facts and remedies, listed below the table. */
  readonly details?: string
}

const budget = { area: 'work', remedy: 'Make the task smaller or raise the budget.' } as const
const HOST_REASON = 'The failure message contains the reason of the host.'
const RUN_FSCK = 'Check the repository with `git fsck`, then retry.'
const FIX_BASE = 'Correct the base branch of the job or the project.'

/** Explanations of all failure codes. A code without texts is a compile error. */
export const FAILURE_CODE_TEXTS: Readonly<Record<FailureCode, CodeTexts>> = {
  budget_cost: { ...budget, meaning: 'The cost budget of the run (`MAX_COST_USD`) is used up.' },
  budget_time: {
    ...budget,
    meaning: 'The time budget of the run (`MAX_JOB_SECONDS`) is used up.',
    details: 'Time during which the run is released does not count.',
  },
  budget_tokens: {
    ...budget,
    meaning: 'The token budget of the run is used up.',
    details: 'The limits are `MAX_INPUT_TOKENS` and `MAX_OUTPUT_TOKENS`.',
  },
  budget_turns: { ...budget, meaning: 'The turn budget of the run (`MAX_TURNS`) is used up.' },
  checks_failed: {
    area: 'work',
    meaning: 'The change would break the build of the site, and the model did not fix it.',
    remedy: 'Retry, or mention the problem in the prompt.',
    details: 'The failure message and `checks` list the issues.',
  },
  context_exhausted: {
    area: 'work',
    meaning: 'The work did not fit into three conversations.',
    remedy: 'Split the task.',
  },
  impossible: {
    area: 'work',
    meaning: 'The model reports that the task is impossible.',
    remedy: 'Change the task.',
    details: 'The failure message contains the reason that the model gives.',
  },
  model_refused: { area: 'work', meaning: 'The model declined the request.', remedy: 'Reword the prompt.' },
  no_finish: { area: 'work', meaning: 'The model stopped calling tools and did not finish.', remedy: 'Retry.' },
  policy_file_invalid: {
    area: 'work',
    meaning: "The repository's policy file, `.corrigenda.yml`, is invalid.",
    remedy: 'Correct the file on the base branch.',
    details: 'The failure message lists the errors in the file. The job changed nothing.',
  },
  policy_violation: {
    area: 'work',
    meaning: 'The change violates the policy, and the model did not revert it.',
    remedy: 'Change the task, or make that part of the change yourself.',
    details: 'The failure message lists the paths.',
  },
  stuck: {
    area: 'work',
    meaning: 'The model repeated the same call five times with the same result.',
    remedy: 'Describe the task more clearly.',
  },

  attempts_exhausted: {
    area: 'service',
    meaning: 'The worker crashed in every attempt (`MAX_ATTEMPTS`, 10 by default).',
    remedy: 'Check the logs and the memory of the workers, then retry.',
    details: 'The job may be too large for the worker.',
  },
  cancelled: { area: 'service', meaning: 'The job was cancelled.', remedy: 'Nothing.' },
  internal_error: {
    area: 'service',
    meaning: 'A bug in Corrigenda caused an error five times in a row.',
    remedy: 'Report it. The log of the worker contains the details.',
  },

  context_truncated: {
    area: 'model',
    meaning: 'The model API silently truncates prompts that do not fit.',
    remedy: 'Configure a larger context window on the server.',
    details: 'See [providers](providers.md).',
  },
  model_bad_reply: {
    area: 'model',
    meaning: 'The model API returned invalid replies or a redirect.',
    remedy: 'Check `ANTHROPIC_BASE_URL` and the model, then retry.',
  },
  model_bad_request: {
    area: 'model',
    meaning: 'The model API rejected the request.',
    remedy: 'Check the model and the length of the prompt and the instruction files.',
    details: 'The failure message contains the reason of the API.',
  },
  model_billing: {
    area: 'model',
    meaning: 'The account of the model API has no credit or has reached its spend limit.',
    remedy: 'Add credit or raise the spend limit, then retry.',
    details: 'Corrigenda never retries this error.',
  },
  model_not_found: {
    area: 'model',
    meaning: 'The model API does not offer the model.',
    remedy: 'Correct the model of the job or `MODEL`.',
  },
  model_unauthorized: {
    area: 'model',
    meaning: 'The key is invalid or has no access to the model.',
    remedy: 'Check `ANTHROPIC_API_KEY`.',
  },
  model_unavailable: {
    area: 'model',
    meaning: 'The model API was unavailable, overloaded or rate limited for too long.',
    remedy: 'Retry later.',
  },

  git_host_archived: {
    area: 'host',
    meaning: 'The repository is archived and read-only.',
    remedy: 'Unarchive it, or set another repository in the project.',
  },
  git_host_forbidden: {
    area: 'host',
    meaning: 'The credential cannot read, push or open pull requests.',
    remedy: 'Grant it write access to contents and pull requests.',
    details: HOST_REASON,
  },
  git_host_network: {
    area: 'host',
    meaning: 'The host was unreachable or the connection broke for more than a minute.',
    remedy: 'Check the network, the host name and the certificate, then retry.',
  },
  git_host_not_found: {
    area: 'host',
    meaning: 'The repository does not exist, or it is hidden from the credential.',
    remedy: 'Correct the URL of the project or the access of the credential.',
  },
  git_host_protocol: {
    area: 'host',
    meaning: 'A proxy, a login page or a maintenance page responded instead of the Git host.',
    remedy: 'Check the servers between Corrigenda and the host, then retry.',
  },
  git_host_rate_limited: {
    area: 'host',
    meaning: 'The host asked Corrigenda to wait more than 24 times.',
    remedy: 'Lower the load or raise the rate limit, then retry.',
  },
  git_host_redirected: {
    area: 'host',
    meaning: 'The host redirects to another origin, which never receives the token.',
    remedy: 'Correct the URL of the project, or `GITHUB_API_URL`.',
  },
  git_host_server_error: {
    area: 'host',
    meaning: 'The host returned 5xx for more than a minute.',
    remedy: 'Retry when the host is available again.',
  },
  git_host_timeout: {
    area: 'host',
    meaning: 'Several requests to the host timed out.',
    remedy: 'Retry when the host responds faster.',
  },
  git_host_too_large: {
    area: 'host',
    meaning: 'The host rejected the size of the request, or its response was too large.',
    remedy: 'Make the repository or the change smaller.',
  },
  git_host_unauthorized: {
    area: 'host',
    meaning: 'The host rejected the credential.',
    remedy: 'Replace the token. For a GitHub App, check the clock.',
  },
  git_host_validation: {
    area: 'host',
    meaning: 'The host rejected a request as invalid.',
    remedy: 'Fix the cause, then retry.',
    details: HOST_REASON,
  },

  credential_missing: {
    area: 'app',
    meaning: 'There is no credential for the Git host, or the stored one cannot be decrypted.',
    remedy: 'Save a token in the project settings, or create a GitHub App.',
  },
  github_app_refused: {
    area: 'app',
    meaning: 'The App does not exist on the host, or its key is wrong.',
    remedy: 'Check `GITHUB_APP_ID`, `GITHUB_APP_PRIVATE_KEY` and the clock.',
  },
  github_bad_app_key: {
    area: 'app',
    meaning: 'The private key of the App is unreadable.',
    remedy: 'Use the .pem file from GitHub.',
  },
  github_installation_missing: {
    area: 'app',
    meaning: 'The App is not installed on the repository.',
    remedy: 'Install it there.',
  },
  github_permission_missing: {
    area: 'app',
    meaning: 'The installation is suspended or lacks a permission.',
    remedy: 'Unsuspend it and accept its permissions.',
  },
  github_token_too_broad: {
    area: 'app',
    meaning: 'The host issued a token for more than one repository. Corrigenda did not use it.',
    remedy: 'Use a host that can limit tokens, or a personal token.',
  },

  repository_branch_not_found: { area: 'repository', meaning: 'The base branch does not exist.', remedy: FIX_BASE },
  repository_build_failed: {
    area: 'repository',
    meaning: 'Writing the mirror of the repository failed or was interrupted several times.',
    remedy: 'Check the disk space and the permissions of `CACHE_DIR`, then retry.',
  },
  repository_commit_not_found: {
    area: 'repository',
    meaning: 'The base commit of the job is no longer on the host.',
    remedy: 'Retry. A new job starts at the newest commit.',
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
    remedy: 'Remove them.',
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
    meaning: 'The repository exceeds the limits of Corrigenda.',
    remedy: 'Use a smaller repository.',
  },
  repository_unreadable_tree: {
    area: 'repository',
    meaning: 'The repository contains entries that Corrigenda cannot read.',
    remedy: 'Check the repository with `git fsck`.',
  },

  branch_conflict: {
    area: 'publish',
    meaning: 'The branch has commits of another author, or it is the base branch.',
    remedy: 'Choose another branch, or delete the existing one.',
    details: 'A follow-up restarts at most three times when users push to its branch. Then it fails with this code.',
  },
  branch_gone: {
    area: 'publish',
    meaning: "The job's branch was deleted, so a follow-up cannot continue.",
    remedy: 'Create a new job.',
  },
  branch_protected: {
    area: 'publish',
    meaning: 'A rule, a branch protection or a hook of the host rejected the push.',
    remedy: 'Allow the token to push such branches, or choose another branch.',
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
    remedy: 'Choose another branch.',
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
    remedy: 'Nothing.',
  },
  rejected: {
    area: 'publish',
    meaning: 'The host rejected the push without naming a rule.',
    remedy: 'Read the failure message, fix the cause and retry.',
  },
}

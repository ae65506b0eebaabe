import { CODE_WORDS, type Flag } from '@corrigenda/agent/policy'
import { DOCS_SOURCE, type RepositoryAddress, type RunSource } from '@corrigenda/contracts'
import { toStorable } from '@corrigenda/core/base'
import { toRunSettings } from '@corrigenda/core/projects'
import { type FrozenPublish, listRequesters, type PullRequestSettings, UNKNOWN_AUTHOR } from '@corrigenda/core/runs'
import type { ChangeReview } from '../agent-work/do-agent-work.ts'
import { type CommitIdentity, CredentialsError } from '../git-host/credentials.ts'
import type { RepositoryWorkDeps } from '../git-host/git-access.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { buildCommitMessage, toCoAuthors } from '../publish/build-commit-message.ts'
import { buildFollowUpSection } from '../publish/build-follow-up-section.ts'
import { buildPullRequestText, type PullRequestTextInput } from '../publish/build-pull-request-text.ts'
import { toPullRequestPolicy } from '../publish/to-pull-request-policy.ts'
import type { PreparedRun } from './prepare-run.ts'
import type { ChangeResult } from './run-failure.ts'

export interface DescribeDeps extends RepositoryWorkDeps {
  /** Public URL of the API, without a trailing slash; null if not configured. */
  readonly publicUrl: string | null
}

/**
 * Commit message and pull request for a change. `timestamp` is the commit time in seconds since the
 * epoch.
 */
export type ChangeDescription = Pick<
  FrozenPublish,
  'commitMessage' | 'timestamp' | 'author' | 'title' | 'body' | 'section' | keyof PullRequestSettings
>

/** Describes a finished agent's change according to the job, project and repository policies. */
export async function describeChange(
  deps: DescribeDeps,
  { claim, policyFiles, repository, sources, signal }: PreparedRun,
  input: { result: ChangeResult; review: ChangeReview; instructionsUsed: readonly string[] },
): Promise<ChangeDescription> {
  const { result, review, instructionsUsed } = input
  const { changes, code, flags, owners } = review
  const { projectId, jobId, prompt, earlier } = claim
  const knownSecrets = deps.secrets
  const hasPullRequest = typeof earlier?.branch?.pullNumber === 'number'
  const settings = toRunSettings(claim.settings)
  const policy = toPullRequestPolicy(settings, policyFiles, claim.options, owners)
  const { author, isPrivate } = await readHostFacts(deps, repository, signal)
  const { pullRequestDetails, signOff, coAuthoredBy } = settings.policy
  const hasDetails = pullRequestDetails === 'full' || (pullRequestDetails === 'private-repositories' && isPrivate)
  const timestamp = Math.floor(Date.now() / 1000)
  const text: PullRequestTextInput = {
    jobId,
    jobUrl: deps.publicUrl === null ? null : `${deps.publicUrl}/v2/agent/${projectId}/job/${jobId}`,
    prompt,
    hasDetails,
    // The requested title applies to the pull request, not to every commit.
    requestedTitle: hasPullRequest ? null : policy.title,
    titlePattern: policy.titlePattern,
    date: new Date(timestamp * 1000).toISOString().slice(0, 10),
    title: result.title,
    body: result.body,
    changes,
    checks: result.checks,
    code: code.map(({ kind, path, line }) => `${path}:${line} adds ${CODE_WORDS[kind]}`),
    evidence: result.evidence,
    sources,
    hosts: deps.allowedRepositoryHosts,
    flags: [...toSourceFlags(sources), ...toEvidenceFlags(result), ...flags.map(describeFlag)],
    instructionsUsed,
    model: result.model,
    usage: result.usage,
    knownSecrets,
  }
  const { title, body } = buildPullRequestText(text)
  // A run without a branch from an earlier run also contains what was asked for before it.
  const isFirstCommit = !earlier?.branch
  const requesters = coAuthoredBy ? await listRequesters(deps, { run: claim, isFirstCommit }) : []
  const commitMessage = buildCommitMessage({
    title,
    body: result.body,
    jobId,
    coAuthors: toCoAuthors(requesters, { host: repository.host, author, hasAddresses: hasDetails, knownSecrets }),
    signedOffBy: signOff ? author : null,
    knownSecrets,
  })
  const section = hasPullRequest ? buildFollowUpSection({ ...text, number: claim.seq - 1 }) : null
  return {
    ...toStorable({ title, body, commitMessage, section }),
    timestamp,
    author,
    labels: policy.settings.labels,
    // Reviews are requested only once, by the run that opens the pull request.
    reviewers: hasPullRequest ? [] : policy.settings.reviewers,
    // Hosts build previews of drafts less often, and a reviewer decides when it is ready.
    draft: policy.settings.draft || code.length > 0,
  }
}

/**
 * Reads the account of the credential, as the author of commits, and whether the repository is
 * private. A job does not fail if the host does not report them.
 * @throws the signal's reason
 */
async function readHostFacts(
  { credentials, openGitHost, log }: DescribeDeps,
  repository: RepositoryAddress,
  signal: AbortSignal,
): Promise<{ author: CommitIdentity; isPrivate: boolean }> {
  const orNull = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof GitHostError) && !(error instanceof CredentialsError)) throw error
      log.warn({ repository: repository.url, err: error }, `the Git host did not report ${what}`)
      return null
    }
  }
  const author = await orNull('the author of commits', () => credentials.findIdentity({ repository, signal }))
  const facts = await orNull("the repository's visibility", async () => {
    using gitHost = await openGitHost({ credentials, repository, access: 'read', signal })
    return await gitHost.getRepository({ signal })
  })
  return { author: author ?? UNKNOWN_AUTHOR, isPrivate: facts?.isPrivate === true }
}

const FLAG_WORDS: Record<Flag['kind'], string> = {
  external_image: 'loads an external image',
  script: 'contains a script',
  iframe: 'embeds an iframe',
  external_style: 'loads an external style sheet or image',
  redirect: 'redirects readers',
  form: 'sends a form to another site',
  invisible_characters: 'contains invisible characters',
}

const describeFlag = ({ kind, path, line, detail }: Flag): string =>
  `${path}:${line} ${FLAG_WORDS[kind]}${detail ? ` (${detail})` : ''}`

/**
 * Asks for a review of a change that may contain facts from sources, but has no evidence from them.
 * Lines of the documentation repository itself support no facts from other sources.
 */
export const toEvidenceFlags = ({ evidence, sourcesRead }: Pick<ChangeResult, 'evidence' | 'sourcesRead'>): string[] =>
  sourcesRead.length === 0 || evidence.some(({ source }) => source !== DOCS_SOURCE)
    ? []
    : ['The agent read source code, but gave no evidence for this change. Verify its facts.']

/** Names the sources that were read at a commit that may be from a fork, as their `cite` mode allows. */
export const toSourceFlags = (sources: readonly RunSource[]): string[] =>
  sources.flatMap(({ name, note, cite }) => {
    if (note === undefined) return []
    return cite === 'none' ? 'The job has a note on the commit of a source.' : `Source ${name}: ${note}`
  })

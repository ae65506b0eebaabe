import { CODE_WORDS, type Flag } from '@corrigenda/agent/policy'
import { toStorable } from '@corrigenda/core/base'
import { toRunSettings } from '@corrigenda/core/projects'
import { type Claim, type FrozenPublish, listRequesters, type PullRequestSettings } from '@corrigenda/core/runs'
import type { ChangeReview } from '../agent-work/do-agent-work.ts'
import { buildFollowUpSection } from '../publish/build-follow-up-section.ts'
import { buildPullRequestText, type PullRequestTextInput } from '../publish/build-pull-request-text.ts'
import { toCoAuthors } from '../publish/to-co-authors.ts'
import { toPullRequestPolicy } from '../publish/to-pull-request-policy.ts'
import type { PreparedRun } from './prepare-run.ts'
import { readHostFacts } from './read-host-facts.ts'
import { toEvidenceFlags, toSourceFlags } from './to-evidence-flags.ts'
import type { ChangeResult } from './to-run-ending.ts'
import type { WorkerDeps } from './worker-deps.ts'

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
  deps: Pick<WorkerDeps, 'prisma' | 'publicUrl' | 'secrets' | 'credentials' | 'openGitHost' | 'log'>,
  claim: Claim,
  { policyFiles, repository, sources }: PreparedRun,
  input: { result: ChangeResult; review: ChangeReview; instructionsUsed: readonly string[] },
  signal: AbortSignal,
): Promise<ChangeDescription> {
  const { result, review, instructionsUsed } = input
  const { changes, code, flags, owners } = review
  const hasPullRequest = typeof claim.earlier?.branch?.pullNumber === 'number'
  const settings = toRunSettings(claim.settings)
  const policy = toPullRequestPolicy(settings, policyFiles, claim.options, owners)
  const { author, isPrivate } = await readHostFacts(deps, repository, signal)
  const { pullRequestDetails, signOff, coAuthoredBy } = settings.policy
  const hasDetails = pullRequestDetails === 'full' || (pullRequestDetails === 'private-repositories' && isPrivate)
  // A run without a branch from an earlier run also contains what was asked for before it.
  const isFirstCommit = !claim.earlier?.branch
  const requesters = coAuthoredBy ? await listRequesters(deps, { run: claim, isFirstCommit }) : []
  const { host } = repository
  const timestamp = Math.floor(Date.now() / 1000)
  const text: PullRequestTextInput = {
    jobId: claim.jobId,
    jobUrl: deps.publicUrl === null ? null : `${deps.publicUrl}/v2/agent/${claim.projectId}/job/${claim.jobId}`,
    prompt: claim.prompt,
    hasDetails,
    coAuthors: toCoAuthors(requesters, { host, author, hasAddresses: hasDetails, knownSecrets: deps.secrets }),
    signedOffBy: signOff ? author : null,
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
    flags: [...toSourceFlags(sources), ...toEvidenceFlags(result), ...flags.map(describeFlag)],
    instructionsUsed,
    model: result.model,
    isRehearsal: result.model === 'rehearsal',
    usage: result.usage,
    knownSecrets: deps.secrets,
  }
  const section = hasPullRequest ? buildFollowUpSection({ ...text, number: claim.seq - 1 }) : null
  return {
    ...toStorable({ ...buildPullRequestText(text), section }),
    timestamp,
    author,
    ...policy.settings,
    // Hosts build previews of drafts less often, and a reviewer decides when it is ready.
    draft: policy.settings.draft || code.length > 0,
    // Reviews are requested only once, by the run that opens the pull request.
    ...(hasPullRequest ? { reviewers: [] } : {}),
  }
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

import type { RemarkIgnored } from '@corrigenda/contracts'
import { SYSTEM } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import { sendMessage } from '@corrigenda/core/jobs'
import {
  findRemarkResult,
  ignoreRemarks,
  listAnsweredThreads,
  listQuietRemarks,
  type NewRemark,
  type PullRequestPoll,
  recordAnswer,
  recordRemarks,
} from '@corrigenda/core/pull-requests'
import type { RunQueue } from '@corrigenda/core/queue'
import { removeHidden, shorten } from '@corrigenda/git/text'
import type { RepositoryWorkDeps } from '../git-host/git-access.ts'
import type { GitHost, PullRequest, Remark } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { ANSWER_MARK, buildAnswer, buildRemarksPrompt, toMentionName } from './remark-texts.ts'

export interface ConversationDeps extends RepositoryWorkDeps {
  readonly queue: Pick<RunQueue, 'wakeWorker'>
  readonly messageQuota: { readonly limit: number; readonly windowSeconds: number }
  readonly monthlyBudgetUsd: number | null
}

interface Conversation {
  readonly pull: PullRequest
  readonly gitHost: GitHost
  /** Opens a client that may write. */
  readonly openWriter: () => Promise<GitHost>
}

type Open = Awaited<ReturnType<typeof recordRemarks>>

/**
 * Reads the new comments on an open pull request, starts a follow-up for those that address the
 * agent, and answers those whose follow-up has ended. Comments are read only if the pull request
 * has changed since the last read, so an idle pull request costs no request.
 * @returns true if the next poll has to continue soon
 * @throws GitHostError, CredentialsError
 */
export async function converse(
  deps: ConversationDeps,
  poll: PullRequestPoll,
  { pull, gitHost, openWriter }: Conversation,
): Promise<boolean> {
  if (poll.comments === 'off') return false
  const isPersonPushed = poll.isPersonPushed || (!poll.isWorkedOn && pull.headSha !== poll.headCommit)
  const { remarksReadTo: since } = poll
  const isRead = since !== null && pull.updatedAt <= since
  if (isRead && isPersonPushed === poll.isPersonPushed && poll.openRemarks.length === 0) return false
  const written = isRead ? [] : await gitHost.listRemarks({ number: pull.number, since })
  const remarks = await selectRemarks(deps, poll, { written, pull, gitHost, isPersonPushed })
  const open = await recordRemarks(deps, poll, {
    remarks,
    // The host's times have a resolution of one second, and lists may lag behind. Recent comments
    // are read again, and recorded once.
    readTo: isRead ? since : new Date(Math.min(pull.updatedAt.getTime(), Date.now() - RECENT_MS)),
    isPersonPushed,
  })
  await sendRemarks(deps, poll, await listQuietRemarks(deps, open))
  // A run that has started since the claim answers later, too.
  const ended = poll.isWorkedOn ? [] : open.filter(({ messageId }) => messageId !== null)
  if (ended.length > 0) {
    using writer = await openWriter()
    await answer(deps, poll, { ended, pull, writer })
  }
  return open.some(({ messageId }) => messageId === null)
}

const RECENT_MS = 60_000

/** Longest quotation of a comment, in characters. */
const MAX_BODY = 10_000

/** Selects the comments that address the agent, with the reason if they start no follow-up. */
async function selectRemarks(
  deps: ConversationDeps,
  poll: PullRequestPoll,
  input: Omit<Conversation, 'openWriter'> & { written: readonly Remark[]; isPersonPushed: boolean },
): Promise<NewRemark[]> {
  const { written, pull, gitHost, isPersonPushed } = input
  const others = written.filter(({ author, body }) => author !== pull.author && !body.includes(ANSWER_MARK))
  if (others.length === 0) return []
  const reviews = new Map(written.map((remark) => [remark.id, remark]))
  const answered = others.some(({ thread }) => thread !== null) ? await listAnsweredThreads(deps, poll) : new Set()
  const isEvery = poll.comments === 'all' && (await gitHost.getRepository()).isPrivate === true
  const writers = new Map<string, boolean>()
  const mayWrite = async (login: string) => {
    const may = writers.get(login) ?? (await gitHost.mayWrite({ login }))
    writers.set(login, may)
    return may
  }
  const selected: NewRemark[] = []
  for (const { id, thread, review, author, isBot, body: text, path, line, ...remark } of others) {
    const body = shorten(removeHidden(text).trim(), MAX_BODY)
    const requestsChanges = remark.requestsChanges || (reviews.get(review ?? '')?.requestsChanges ?? false)
    const isMention = pull.author !== null && mentions(text, toMentionName(pull.author))
    const isAddressed = isMention || isEvery || requestsChanges || (thread !== null && answered.has(thread))
    const isKnown = poll.openRemarks.some((known) => known.id === id)
    if (author === null || body === '' || !isAddressed || isKnown) continue
    let ignored: RemarkIgnored | null = null
    if (isBot) ignored = 'bot'
    else if (!(await mayWrite(author))) ignored = 'no_permission'
    else if (isPersonPushed && !isMention) ignored = 'person_pushed'
    selected.push({ id, thread, author, body, path, line, ignored, requestsChanges })
  }
  return selected
}

/** Returns whether a text mentions an account outside of quotations and code. */
function mentions(text: string, name: string): boolean {
  let isCode = false
  const own = text.split('\n').filter((line) => {
    const start = line.trimStart()
    const isFence = start.startsWith('```') || start.startsWith('~~~')
    if (isFence) isCode = !isCode
    return !isFence && !isCode && !start.startsWith('>')
  })
  const [, ...rests] = own.join('\n').split(/(?<![\w`/.@-])@/)
  return rests.some((rest) => /^[\w-]*/.exec(rest)?.[0].toLowerCase() === name.toLowerCase())
}

async function sendRemarks(deps: ConversationDeps, poll: PullRequestPoll, remarks: Open): Promise<void> {
  if (remarks.length === 0) return
  const { projectId, jobId: id } = poll
  try {
    const request = { prompt: buildRemarksPrompt(remarks) }
    const sent = { projectId, id, request, idempotencyKey: null, remarks: remarks.map((one) => one.id) }
    await sendMessage({ ...deps, audit: SYSTEM }, sent)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code } = error
    deps.log.warn({ jobId: id, code }, 'comments on a pull request started no follow-up')
    const isFinal = code === 'job_archived' || code === 'pull_request_closed' || code === 'not_found'
    // Otherwise the comments wait, such as for the quota.
    if (isFinal) await ignoreRemarks(deps, poll, { remarks, reason: 'refused' })
    if (code === 'monthly_budget_exceeded') await ignoreRemarks(deps, poll, { remarks, reason: 'budget' })
  }
}

/**
 * Answers once in each thread. A repetition after a crash finds the answer by its mark. A later
 * answer in the same thread replaces the text.
 */
async function answer(
  deps: ConversationDeps,
  poll: PullRequestPoll,
  { ended, pull, writer }: { ended: Open; pull: PullRequest; writer: GitHost },
): Promise<void> {
  const { jobId } = poll
  const { number } = pull
  const written = await writer.listRemarks({ number, since: null })
  for (const thread of new Set(ended.map((remark) => remark.thread))) {
    const remarks = ended.filter((remark) => remark.thread === thread)
    const messageId = remarks.at(-1)?.messageId ?? ''
    const result = await findRemarkResult(deps, { jobId, messageId })
    const body = buildAnswer(result, { name: toMentionName(pull.author ?? ''), secrets: deps.secrets })
    const isOurs = (one: Remark) =>
      one.author === pull.author && one.thread === thread && one.body.includes(ANSWER_MARK)
    const previous = written.find(isOurs) ?? null
    try {
      if (previous?.body !== body) await writer.answerRemark({ number, thread, previous: previous?.id ?? null, body })
    } catch (error) {
      // The thread may be gone or the pull request locked. The job page shows the result.
      const isFinal = error instanceof GitHostError && ['forbidden', 'not_found', 'validation'].includes(error.code)
      if (!isFinal) throw error
      deps.log.warn({ jobId, code: error.code }, 'comment on a pull request not answered')
    }
    await recordAnswer(deps, poll, { ids: remarks.map(({ id }) => id), commit: result.commit })
  }
}

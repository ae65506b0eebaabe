import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '@corrigenda/core/base'
import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import { OutboundError } from '../outbound/resolve-target.ts'
import { type OutboundAnswer, sendRequest } from '../outbound/send-request.ts'
import type { DeployCommitStep } from './deploy-step.ts'

/** Result of one call. */
type CallResult =
  | { readonly kind: 'accepted'; readonly text: string }
  | { readonly kind: 'rejected'; readonly text: string }
  /** The call may be retried. */
  | { readonly kind: 'retryable'; readonly text: string }

/** Statuses that request a retry: 408 Request Timeout, 425 Too Early, 429 Too Many Requests. */
const TRY_AGAIN = new Set([408, 425, 429])

/**
 * Calls a deploy hook until it accepts or rejects the deployment or no retries remain. A receiver
 * may be called more than once for a deployment, because a worker that takes over from a crashed
 * one cannot determine whether the call arrived. All calls have the same `Idempotency-Key` but
 * different `Corrigenda-Delivery` values.
 */
export async function callHook(step: DeployCommitStep, target: { url: string }): Promise<DeploymentOutcome> {
  const { deps, claim, note, signal } = step
  const { host } = new URL(target.url)
  const { hookWaitsMs } = deps.limits
  const maxCalls = hookWaitsMs.length + 1
  let last = "The worker stopped while waiting for the deploy hook's response. The outcome of the call is unknown."
  for (let call = claim.progress.calls + 1; call <= maxCalls; call += 1) {
    await note({
      line: `Calling the deploy hook at ${host} (call ${call} of at most ${maxCalls}).`,
      progress: { ...claim.progress, calls: call },
    })
    const result = await callOnce(step, target.url, call)
    signal.throwIfAborted()
    if (result.kind === 'accepted') return { status: 'success', summary: result.text }
    if (result.kind === 'rejected') return { status: 'failure', summary: result.text }
    last = `${result.text} Calls made: ${call}.`
    const waitMs = hookWaitsMs[call - 1]
    if (waitMs === undefined) break
    await note({ line: `${result.text} Retrying in ${Math.ceil(waitMs / 1000)} s.` })
    await sleep(waitMs, undefined, { signal })
  }
  return { status: 'failure', summary: last }
}

async function callOnce(step: DeployCommitStep, url: string, call: number): Promise<CallResult> {
  const { deps, claim, commit, signal } = step
  const { host } = new URL(url)
  const { statusId, projectId, jobId, preview } = claim
  try {
    const response = await sendRequest({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*;q=0.1',
        'user-agent': `corrigenda/${VERSION}`,
        'idempotency-key': statusId,
        'corrigenda-delivery': `${statusId}.${claim.attempt}.${call}`,
      },
      body: JSON.stringify({
        statusId,
        projectId,
        commit: { sha: commit.sha, ref: commit.ref },
        jobId,
        ...(preview && { preview }),
      }),
      timeoutMs: deps.limits.hookTimeoutMs,
      allowedHosts: deps.allowedHookHosts,
      projectId,
      proxies: deps.proxies,
      signal,
    })
    return toResult(host, response)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const canRetry = error.code === 'timeout' || error.code === 'connection' || error.code === 'name_not_found'
    return { kind: canRetry ? 'retryable' : 'rejected', text: `The deploy hook could not be called: ${error.message}` }
  }
}

function toResult(host: string, { status, body }: OutboundAnswer): CallResult {
  if (status >= 200 && status < 300) {
    return { kind: 'accepted', text: `The deploy hook at ${host} accepted the deployment (${status}).` }
  }
  if (status >= 300 && status < 400) {
    const text = `The deploy hook at ${host} redirects (${status}), and redirects are not followed. Configure the final URL.`
    return { kind: 'rejected', text }
  }
  const quote = body.replace(/\s+/g, ' ').trim().slice(0, 200)
  const end = /[.!?]$/.test(quote) ? '' : '.'
  const text = `The deploy hook at ${host} responded with ${status}${quote ? `: ${quote}` : ''}${end}`
  return { kind: status >= 500 || TRY_AGAIN.has(status) ? 'retryable' : 'rejected', text }
}

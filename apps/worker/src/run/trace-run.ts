import type { Claim } from '@corrigenda/core/runs'
import { runInSpan } from '@corrigenda/core/tracing'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Works on a run in a span of the trace that started the run, in whichever process that was. The run
 * of a follow-up links to the trace that created the job. The lines of the log contain the trace's id.
 */
export async function traceRun(
  deps: WorkerDeps,
  claim: Claim,
  work: (deps: WorkerDeps, claim: Claim) => Promise<void>,
): Promise<void> {
  if (!deps.tracer) return work(deps, claim)
  const { trace, jobId, runId, projectId, attempt } = claim
  const span = deps.tracer.start('run', {
    kind: 'consumer',
    parent: trace.run,
    links: trace.job === null || trace.job === trace.run ? [] : [trace.job],
    attributes: {
      ...{ 'corrigenda.job.id': jobId, 'corrigenda.run.id': runId, 'corrigenda.project.id': projectId },
      'corrigenda.run.attempt': attempt,
    },
  })
  await runInSpan(span, () => work({ ...deps, log: deps.log.child({ traceId: span.traceId }) }, claim))
}

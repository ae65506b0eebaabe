import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentJob } from '@corrigenda/contracts'
import type { TestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'

/**
 * Returns the job once it has ended.
 * @throws Error if a worker releases the run instead of ending it
 */
export async function endAtOnce(service: TestService, jobId: string): Promise<AgentJob> {
  for (;;) {
    const job = await service.read(jobId)
    if (job.status !== 'active') return job
    const released = await service.database.prisma.jobEvent.findFirst({ where: { jobId, type: 'job.released' } })
    if (released) throw new Error(`the run was released: ${JSON.stringify(released.data)}`)
    await sleep(50)
  }
}

import { createJob } from './ask-job.ts'
import { expectAnswer, Mismatch } from './ask-server.ts'
import { DEPLOYMENT_CHECKS } from './check-deployments.ts'
import { JOB_CHECKS } from './check-jobs.ts'
import { SESSION_CHECKS } from './check-sessions.ts'
import { type CompatCheck, Skipped } from './compat-check.ts'
import { HostedError } from './wire.ts'

/** Number of jobs that the hosted API accepts per project per hour. */
const HOURLY = 100

/** Checks for the client-observable part of the hosted API's public contract, in execution order. */
export const COMPAT_CHECKS: readonly CompatCheck[] = [
  ...JOB_CHECKS,
  ...SESSION_CHECKS,
  ...DEPLOYMENT_CHECKS,
  {
    name: `creating more than ${HOURLY} jobs in an hour returns 429 and an error`,
    async run(input) {
      if (!input.exhaustQuota) throw new Skipped("exhausts the project's job limit; enable it with --exhaust-quota")
      for (let n = 0; n <= HOURLY; n += 1) {
        const response = await createJob(input, { prompt: input.prompt })
        if (response.status === 201) continue
        expectAnswer(response, 429, HostedError)
        return
      }
      throw new Mismatch(`accepted ${HOURLY + 1} jobs within one hour`)
    },
  },
]

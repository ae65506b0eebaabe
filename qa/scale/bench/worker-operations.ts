import { COMMAND_LINE } from '@corrigenda/core/audit'
import { claimConnectionCheck } from '@corrigenda/core/connection-checks'
import { claimDeployment, forgetDeployments } from '@corrigenda/core/deployments'
import { createJob, sendMessage } from '@corrigenda/core/jobs'
import { claimPullRequestPoll, wakePullRequests } from '@corrigenda/core/pull-requests'
import { type Claim, claimRun, finishRun, saveTurn, sweepRuns } from '@corrigenda/core/runs'
import { claimDeliveries, failHopeless, forgetEvents } from '@corrigenda/core/webhooks'
import { SILENT } from '../seed/seed-instance.ts'
import type { Operation } from './measure.ts'
import { pickJobs } from './pick-jobs.ts'
import type { Side } from './side.ts'

const LEASE = { owner: 'bench', leaseSeconds: 20 }
const RULES = { ...LEASE, maxAttempts: 10, projectConcurrency: 20 }
const QUOTA = { limit: 100_000, windowSeconds: 3600 }
const QUEUE = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }
const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.01, turns: 1 }

const toProject = ({ instance }: Side, n: number): string => instance.projectIds[n] ?? ''
const claim = async ({ prisma }: Side): Promise<Claim> => {
  const claimed = await claimRun({ prisma, ...RULES }, LEASE)
  if (claimed === null) throw new Error('There is no run to claim.')
  return claimed
}
const finish = ({ prisma }: Side, held: Claim) =>
  finishRun({ prisma }, held, { kind: 'no_changes', summary: 'Nothing to change.', checks: [] })
const addJob = ({ prisma, pool, instance }: Side, n: number) =>
  createJob(
    { audit: COMMAND_LINE, prisma, pool, queue: QUEUE, log: SILENT, quota: QUOTA, defaultModel: 'claude-sonnet-5-5' },
    { projectId: instance.projectIds[0] ?? '', request: { prompt: `Claim ${n}.` }, idempotencyKey: null },
  )
const addMessage = ({ prisma }: Side, projectId: string, id: string) =>
  sendMessage(
    { audit: COMMAND_LINE, prisma, queue: QUEUE, log: SILENT, messageQuota: QUOTA },
    { projectId, id, request: { prompt: 'Also update the index.' }, idempotencyKey: null },
  )
/** Jobs that accept a message, which both sides have. */
const pickContinuable = (side: Side, project: number) =>
  pickJobs(side, { project, limit: 200, where: "status = 'failed' AND outcome = 'failed'" })

/** What workers do for each run, and every few seconds. */
export const WORKER_OPERATIONS: readonly Operation[] = [
  {
    name: 'claim',
    open(side) {
      let held: Claim
      return {
        prepare: (n) => addJob(side, n),
        async run() {
          held = await claim(side)
        },
        settle: () => finish(side, held),
      }
    },
  },
  { name: 'claim without a waiting run', open: ({ prisma }) => ({ run: () => claimRun({ prisma, ...RULES }, LEASE) }) },
  {
    name: 'turn with spend',
    open(side) {
      let held: Claim
      const spend = { spentUsd: 0.01, instanceBudgetUsd: 1_000_000 }
      const row = {
        seq: 0,
        conversation: 1,
        role: 'user',
        content: 'x',
        stopReason: null,
        requestId: null,
        usage: null,
      } as const
      return {
        async prepare(n) {
          await addJob(side, n)
          held = await claim(side)
        },
        run: () => saveTurn(side, held, { rows: [row], files: [], events: [], usage: USAGE, ...spend }),
        settle: () => finish(side, held),
      }
    },
  },
  {
    name: 'end of a run',
    open(side) {
      let held: Claim
      return {
        async prepare(n) {
          await addJob(side, n)
          held = await claim(side)
        },
        run: () => finish(side, held),
      }
    },
  },
  {
    name: 'follow-up message',
    async open(side) {
      const project = 1
      const ids = await pickContinuable(side, project)
      return {
        run: (n) => addMessage(side, toProject(side, project), ids[n % ids.length] ?? ''),
        settle: async () => finish(side, await claim(side)),
      }
    },
  },
  {
    name: 'follow-up claim',
    async open(side) {
      const project = 2
      const ids = await pickContinuable(side, project)
      let held: Claim
      return {
        prepare: (n) => addMessage(side, toProject(side, project), ids[n % ids.length] ?? ''),
        async run() {
          held = await claim(side)
        },
        settle: () => finish(side, held),
      }
    },
  },
  {
    name: 'sweep',
    open: ({ prisma }) => ({ run: () => sweepRuns({ prisma, queue: QUEUE, log: SILENT, ...RULES }) }),
  },
  {
    name: 'webhook delivery claim',
    async open(side) {
      const { prisma, pool, secrets } = side
      const projectId = toProject(side, 0)
      const endpoint = await prisma.webhookEndpoint.findFirstOrThrow({ where: { projectId } })
      const rules = { endpointConcurrency: 5, projectConcurrency: 10, maxTries: 10, leaseSeconds: 20 }
      return {
        prepare: async (n) => {
          await prisma.webhookEvent.create({
            data: { id: `evt_b${n}`, projectId, type: 'job.completed', payload: '{}' },
          })
          await prisma.webhookDelivery.create({
            data: { id: `whd_b${n}`, endpointId: endpoint.id, eventId: `evt_b${n}` },
          })
        },
        run: () => claimDeliveries({ prisma, webhookKey: secrets.webhookKey, ...rules }, { owner: 'bench', limit: 8 }),
        settle: () =>
          pool.query(
            `UPDATE webhook_deliveries SET status = 'delivered', ended_at = now(), lease_until = NULL WHERE status = 'pending'`,
          ),
      }
    },
  },
  {
    name: 'webhook clean-up',
    open: ({ prisma }) => ({
      run: async () => [await failHopeless({ prisma }, { maxTries: 10 }), await forgetEvents({ prisma })],
    }),
  },
  {
    name: 'deployment claim',
    open(side) {
      const { prisma, pool, secrets } = side
      const data = { projectId: toProject(side, 0), trigger: 'api' }
      return {
        prepare: (n) => prisma.deployment.create({ data: { id: `dep_b${n}`, ...data } }),
        run: () => claimDeployment({ prisma, ...LEASE, deployTargetKey: secrets.deployTargetKey }, LEASE),
        settle: () =>
          pool.query(
            `UPDATE deployments SET status = 'success', ended_at = now(), lease_until = NULL WHERE status = 'in_progress'`,
          ),
      }
    },
  },
  { name: 'deployment clean-up', open: ({ prisma }) => ({ run: () => forgetDeployments({ prisma }) }) },
  {
    name: 'pull request poll claim',
    async open(side) {
      const { prisma, pool } = side
      const [id] = await pickJobs(side, { project: 0, limit: 1, where: "pr_state = 'merged'" })
      const set = (time: string) =>
        pool.query(`UPDATE pull_request_watches SET next_look_at = ${time}, lease_until = NULL WHERE job_id = $1`, [id])
      return {
        prepare: () => set("now() - interval '1 second'"),
        run: () => claimPullRequestPoll({ prisma }),
        settle: () => set('NULL'),
      }
    },
  },
  {
    name: "Git host's event",
    async open(side) {
      const { prisma, pool } = side
      const [id] = await pickJobs(side, { project: 0, limit: 1, where: "pr_state = 'merged'" })
      const job = await prisma.job.findUniqueOrThrow({ where: { id: id ?? '' } })
      const repositoryUrl = job.repositoryUrl
      return {
        run: () =>
          wakePullRequests({ prisma }, { repositoryUrl, numbers: [], branches: [], commits: [job.headCommit ?? ''] }),
        settle: () => pool.query('UPDATE pull_request_watches SET next_look_at = NULL WHERE job_id = $1', [id]),
      }
    },
  },
  {
    name: 'connection check claim',
    open(side) {
      const { prisma, pool, secrets } = side
      return {
        prepare: (n) => prisma.repositoryTest.create({ data: { id: `rpt_b${n}`, projectId: toProject(side, 0) } }),
        run: () => claimConnectionCheck({ prisma, deployTargetKey: secrets.deployTargetKey }, LEASE),
        settle: () => pool.query("DELETE FROM repository_tests WHERE status <> 'done'"),
      }
    },
  },
]

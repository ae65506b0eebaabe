import { removeDeletedProjects, removeExpired } from '@corrigenda/core/retention'
import type { Operation } from './measure.ts'
import { pickJobs } from './pick-jobs.ts'

/** Age of the jobs that retention removes. No other job is that old. */
export const EXPIRED_DAYS = 800
const RETAIN_DAYS = 750
export const DOOMED_PROJECTS = 20
export const DOOMED_JOBS = 100
/** Enough for each measured batch of 50. */
export const EXPIRED_JOBS = 1_500
const EXPIRED_SAMPLES = 26

const retain = (
  name: string,
  periods: { transcriptDays: number | null; jobDays: number | null },
  samples?: number,
): Operation => ({
  name,
  ...(samples === undefined ? {} : { samples }),
  open: ({ prisma }) => ({ run: () => removeExpired({ prisma }, { ...periods, auditDays: null }) }),
})

/** Removal of data. The order matters, because each operation removes rows. */
export const REMOVAL_OPERATIONS: readonly Operation[] = [
  retain('retention: nothing is due', { transcriptDays: 3_650, jobDays: 3_650 }),
  retain('retention: 50 transcripts', { transcriptDays: RETAIN_DAYS, jobDays: null }, EXPIRED_SAMPLES),
  retain('retention: 50 jobs', { transcriptDays: null, jobDays: RETAIN_DAYS }, EXPIRED_SAMPLES),
  {
    name: 'delete a job',
    async open(side) {
      const { instance } = side
      const ids = await pickJobs(side, { project: 3, limit: 200, isRandom: true })
      const route = `/v2/agent/${instance.projectIds[3]}/job`
      return {
        async run(n) {
          const id = ids[n]
          if (id === undefined) throw new Error('Too few jobs to delete.')
          await side.askAs(instance.adminCookie, `${route}/${id}`, { method: 'DELETE' })
        },
      }
    },
    samples: 100,
  },
  {
    name: 'delete a project',
    async open(side) {
      const { prisma, instance } = side
      const doomed = await prisma.project.findMany({
        where: { name: { startsWith: 'Doomed' } },
        orderBy: { name: 'asc' },
      })
      return {
        run: (n) => {
          const { id, name } = doomed[n] ?? {}
          return side.askAs(instance.adminCookie, `/dashboard/api/projects/${id}`, { method: 'DELETE', body: { name } })
        },
      }
    },
    samples: DOOMED_PROJECTS,
  },
  {
    name: 'delete a project: one batch',
    open: ({ prisma }) => ({
      async run() {
        if (!(await removeDeletedProjects({ prisma }))) throw new Error('Nothing is left to remove.')
      },
    }),
    samples: DOOMED_PROJECTS * 3,
  },
]

import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Deletes a project and all its data, including jobs, transcripts, keys, webhooks and members. Data
 * on the Git host is kept.
 * @param input.name the project's name, as confirmation
 * @throws AppError `not_found`; `invalid_request` when the name differs; `project_active` while
 * jobs or a deployment are active
 */
export async function deleteProject(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, name }: { projectId: string; name: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    // New jobs reference the row, so they wait for this lock and then fail.
    const [project] = await tx.$queryRaw<
      { name: string }[]
    >`SELECT name FROM projects WHERE id = ${projectId} FOR UPDATE`
    if (project === undefined) throw new AppError('not_found', 'Not found.')
    if (project.name !== name.trim()) {
      throw new AppError(
        'invalid_request',
        "This is not the project's name. Enter the exact name to delete the project.",
      )
    }
    const active = await tx.job.count({ where: { projectId, status: 'active' } })
    const deploying = await tx.deployment.count({ where: { projectId, status: { in: ['queued', 'in_progress'] } } })
    if (active + deploying > 0) {
      throw new AppError(
        'project_active',
        'The project has active jobs or deployments. Cancel them or wait until they end, then delete the project.',
      )
    }
    await tx.project.delete({ where: { id: projectId } })
  })
}

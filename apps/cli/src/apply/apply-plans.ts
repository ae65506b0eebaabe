import { createProject } from '@corrigenda/core/projects'
import type { DatabaseAccess } from '../environment/with-database-access.ts'
import type { ApplyResult, ProjectPlan, Step } from './plan.ts'
import { openSecretStore } from './store-secret.ts'

/**
 * Makes the planned changes in order, each in a transaction of its own.
 * @param input.result receives what was created. It is complete even if a later step fails.
 * @throws Error that names the project and the step that failed. The steps before it stay.
 */
export async function applyPlans(
  access: DatabaseAccess,
  input: { readonly plans: readonly ProjectPlan[]; readonly folder: string; readonly result: ApplyResult },
): Promise<void> {
  const { result, folder } = input
  for (const plan of input.plans) {
    const { name, repository, id, steps } = plan
    const projectId =
      id ?? (await explain(name, 'project', createProject(access, { name, repository, baseBranch: null }))).id
    result.ids.set(plan, projectId)
    for (const step of steps) {
      const secret = await explain(name, step.subject, runStep(step, { access, projectId, folder }))
      if (secret !== null) result.issued.push({ project: name, subject: step.subject, secret })
    }
  }
}

/** Returns the secret to print, or null. */
async function runStep(
  step: Step,
  {
    access,
    projectId,
    folder,
  }: { readonly access: DatabaseAccess; readonly projectId: string; readonly folder: string },
): Promise<string | null> {
  const { output, label } = step
  if (output === undefined || output === 'print') return (await step.run({ access, projectId })) ?? null
  const store = await openSecretStore(output, { folder, label })
  try {
    const secret = await step.run({ access, projectId })
    if (secret !== undefined) await store.save(secret)
  } finally {
    await store.close()
  }
  return null
}

async function explain<T>(project: string, subject: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const message = `Project ${project}, ${subject}: ${error.message} Earlier changes stay. Run the command again.`
    throw Object.assign(new Error(message, { cause: error }), { code: (error as NodeJS.ErrnoException).code })
  }
}

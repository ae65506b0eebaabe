import { recordAuditEvent } from '@corrigenda/core/audit'
import { listProjects } from '@corrigenda/core/projects'
import { Document } from 'yaml'
import type { DatabaseAccess } from '../environment/with-database-access.ts'
import { buildDeclaration } from './build-declaration.ts'
import { DECLARATION_VERSION } from './declaration.ts'

/**
 * Returns the YAML text of a declaration that `apply` accepts without changes once the environment
 * variables that it names are set.
 * @param projectId null for all projects
 * @throws Error if the project does not exist
 */
export async function exportProjects(access: DatabaseAccess, projectId: string | null): Promise<string> {
  const rows = await listProjects(access)
  const chosen = rows.filter(({ id }) => projectId === null || id === projectId)
  if (projectId !== null && chosen.length === 0) {
    throw new Error(`There is no project ${projectId}. List the projects with "corrigenda project list".`)
  }
  const variables: string[] = []
  const nameSecret = (...parts: readonly string[]) => {
    const name = parts
      .join('_')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
    let env = name
    for (let count = 2; variables.includes(env); count += 1) env = `${name}_${count}`
    variables.push(env)
    return { env }
  }
  const projects: object[] = []
  for (const row of chosen) {
    const withId = rows.some(({ id, name }) => id !== row.id && name === row.name)
    projects.push(await buildDeclaration(access, { row, withId, nameSecret }))
    await recordAuditEvent(access.prisma, access.audit, {
      action: 'project.exported',
      projectId: row.id,
      target: { type: 'project', id: row.id, name: row.name },
    })
  }
  const document = new Document({ version: DECLARATION_VERSION, invitationLinks: 'print', projects })
  document.commentBefore = [
    ' Written by "corrigenda export". Apply it with "corrigenda apply -f FILE".',
    ...(variables.length > 0 ? [` Secrets are not exported. Set ${variables.join(', ')}.`] : []),
  ].join('\n')
  return document.toString({ lineWidth: 0 })
}

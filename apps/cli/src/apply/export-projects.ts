import {
  DEFAULT_PROJECT_BUDGETS,
  DEFAULT_PROJECT_POLICY,
  type ProjectSettings,
  type ProjectSource,
} from '@corrigenda/contracts'
import { listMembers } from '@corrigenda/core/accounts'
import { recordAuditEvent } from '@corrigenda/core/audit'
import { listKeys } from '@corrigenda/core/keys'
import { getProjectSettings, listProjects } from '@corrigenda/core/projects'
import { listWebhooks } from '@corrigenda/core/webhooks'
import { Document } from 'yaml'
import type { DatabaseAccess } from '../environment/with-database-access.ts'
import { DECLARATION_VERSION, type DeclaredProject } from './declaration.ts'

const DAY_MS = 86_400_000

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

type ProjectRow = Awaited<ReturnType<typeof listProjects>>[number]

/** Returns references for the secrets of a project, and collects their names. */
type NameSecret = (...parts: readonly string[]) => { readonly env: string }

/**
 * Returns the declaration of a project. Secrets are references, and settings with their default
 * values are omitted.
 * @param input.withId for a project that shares its name with another one
 */
async function buildDeclaration(
  access: DatabaseAccess,
  input: { readonly row: ProjectRow; readonly withId: boolean; readonly nameSecret: NameSecret },
): Promise<object> {
  const { row, withId } = input
  const { id: projectId, name } = row
  const nameSecret: NameSecret = (...parts) => input.nameSecret(name, ...parts)
  const settings = await getProjectSettings(access, projectId)
  const [keys, webhooks, { members, invitations }] = await Promise.all([
    listKeys(access, projectId),
    listWebhooks(access, projectId),
    listMembers(access, { projectId, userId: '', withInvitations: true }),
  ])
  const live = keys.filter(({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || expiresAt.getTime() > Date.now()))
  const newest = live.filter((key, index) => live.findIndex((one) => one.name === key.name) === index)
  const people = [
    ...members.filter(({ group }) => group === null).map(({ email, role }) => ({ email, role })),
    ...invitations.flatMap(({ email, role }) => (email === null ? [] : [{ email, role }])),
  ]
  return omitEmpty({
    name,
    ...(withId ? { id: projectId } : {}),
    repository: settings.repository,
    token: settings.credential.kind === 'token' ? nameSecret('token') : undefined,
    settings: toSettings(settings, nameSecret),
    sources: settings.sources.map((source) => ({
      ...toSource(source),
      ...(settings.sourceCredentials.find((one) => one.source === source.name)?.token
        ? { token: nameSecret(source.name, 'token') }
        : {}),
    })),
    keys: newest.map((key) => ({
      name: key.name,
      scopes: key.scopes,
      expires: key.expiresAt
        ? `${Math.max(1, Math.round((key.expiresAt.getTime() - key.createdAt.getTime()) / DAY_MS))}d`
        : 'never',
      ...(key.allowedCidrs.length > 0 && { addresses: key.allowedCidrs }),
      secretOutput: 'print',
    })),
    webhooks: webhooks.map(({ url, description, events, disabledAt }) => ({
      // The path may be a secret, such as that of a Slack webhook.
      url: nameSecret(new URL(url).host, 'url'),
      ...(description !== '' && { description }),
      ...(events.length > 0 && { events }),
      ...(disabledAt !== null && { enabled: false }),
      secretOutput: 'print',
    })),
    members: people.filter((one, index) => people.findIndex(({ email }) => email === one.email) === index),
  })
}

function toSettings(settings: ProjectSettings, nameSecret: NameSecret): object {
  const { baseBranch, deployTarget, deployOnMerge, deleteBranchOnClose, previewUrlTemplate } = settings
  const declared: Record<keyof DeclaredProject['settings'], unknown> = {
    baseBranch: baseBranch ?? undefined,
    budgets: differing(settings.budgets, DEFAULT_PROJECT_BUDGETS),
    policy: differing(settings.policy, DEFAULT_PROJECT_POLICY),
    deployTarget: deployTarget === null ? undefined : toDeployTarget(deployTarget, nameSecret),
    deployOnMerge: deployOnMerge || undefined,
    deleteBranchOnClose: deleteBranchOnClose || undefined,
    previewUrlTemplate: previewUrlTemplate ?? undefined,
    monthlyBudgetUsd: settings.monthlySpend.budgetUsd ?? undefined,
    retention: differing(settings.retention, { transcriptDays: null, jobDays: null }),
  }
  return omitEmpty(declared)
}

function toDeployTarget(target: NonNullable<ProjectSettings['deployTarget']>, nameSecret: NameSecret): object {
  if (target.kind === 'hook') return { kind: 'hook', url: nameSecret('deploy', 'hook') }
  if (target.kind !== 'workflow_dispatch' || target.inputs === undefined) return target
  const inputs = Object.keys(target.inputs).map((name) => [name, nameSecret('deploy', name)])
  return { ...target, inputs: Object.fromEntries(inputs) }
}

const toSource = ({ name, repository, ...others }: ProjectSource): object => ({
  name,
  repository,
  ...differing(others, { ref: null, paths: [], visibility: null, cite: null, quotable: [] }),
})

const differing = (values: object, defaults: object): object =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name as keyof typeof defaults]),
    ),
  )

/** Omits undefined fields, empty lists and empty objects. */
const omitEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0),
    ),
  )

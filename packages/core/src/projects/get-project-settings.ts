import type {
  DeployTarget,
  ProjectCredential,
  ProjectSettings,
  ShownDeployTarget,
  SourceCredential,
} from '@corrigenda/contracts'
import { notFound } from '../base/errors.ts'
import { readMonthlySpend } from '../budgets/read-monthly-spend.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { SourceCredentialModel } from '../generated/prisma/models/SourceCredential.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { findDeployTarget } from './deploy-target.ts'
import { type StoredSource, toRunSettings } from './run-settings.ts'

/**
 * Returns a project's settings for its members, without secrets.
 * @throws AppError `not_found`
 */
export async function getProjectSettings(
  { prisma, deployTargetKey }: PrismaDeps & { readonly deployTargetKey: SealingKey },
  projectId: string,
): Promise<ProjectSettings> {
  const [project, app, spend] = await Promise.all([
    prisma.project.findUnique({
      where: { id: projectId, deletedAt: null },
      include: {
        gitCredential: { omit: { sealedToken: true } },
        sourceCredentials: { omit: { sealedToken: true } },
      },
    }),
    prisma.githubApp.findUnique({ where: { id: 1 }, select: { slug: true, htmlUrl: true } }),
    readMonthlySpend(prisma, { projectId, instanceBudgetUsd: null }),
  ])
  if (!project || !spend) throw notFound()
  const { name, repositoryUrl, baseBranch, gitCredential: token } = project
  const { deployOnMerge, deleteBranchOnClose, previewUrlTemplate } = project
  const isOnHostOfApp = app !== null && new URL(app.htmlUrl).host === new URL(repositoryUrl).host
  const { sources, ...settings } = toRunSettings(project.settings)
  const credential: ProjectCredential = token
    ? {
        kind: 'token',
        lastFour: token.lastFour,
        savedAt: token.savedAt.toISOString(),
        savedBy: token.savedBy,
      }
    : isOnHostOfApp
      ? { kind: 'app', slug: app.slug }
      : { kind: 'environment' }
  return {
    name,
    repository: repositoryUrl,
    baseBranch,
    credential,
    ...settings,
    sources: sources.map(({ mayUseInstanceCredential: _, ...source }) => source),
    sourceCredentials: toSourceCredentials({
      sources,
      tokens: project.sourceCredentials,
      projectTokenHost: token?.host ?? null,
    }),
    deployTarget: toShown(findDeployTarget(deployTargetKey, projectId, project.deployTarget)),
    deployOnMerge,
    deleteBranchOnClose,
    previewUrlTemplate,
    monthlySpend: spend.project,
    retention: { transcriptDays: project.retainTranscriptDays, jobDays: project.retainJobDays },
    changedAt: project.settingsChangedAt?.toISOString() ?? null,
    changedBy: project.settingsChangedBy,
  }
}

function toShown(target: DeployTarget | null): ShownDeployTarget | null {
  return target?.kind === 'hook' ? { kind: 'hook', host: new URL(target.url).host } : target
}

/**
 * Returns the credential that workers use for each source, without its secret: the source's own
 * token, the project's token, or the credentials of the instance if an admin chose the repository.
 * A token is used only for the Git host that it was saved for.
 * @param input.projectTokenHost null if the project has no token
 */
function toSourceCredentials(input: {
  readonly sources: readonly StoredSource[]
  readonly tokens: readonly Omit<SourceCredentialModel, 'sealedToken'>[]
  readonly projectTokenHost: string | null
}): SourceCredential[] {
  return input.sources.map(({ name, repository, mayUseInstanceCredential }) => {
    const { host } = new URL(repository)
    const own = input.tokens.find((token) => token.source === name && token.host === host)
    if (own !== undefined) {
      const { lastFour, savedBy } = own
      return { source: name, kind: 'token', token: { lastFour, savedAt: own.savedAt.toISOString(), savedBy } }
    }
    const shared = input.projectTokenHost === host ? 'project' : mayUseInstanceCredential ? 'instance' : 'none'
    return { source: name, kind: shared, token: null }
  })
}

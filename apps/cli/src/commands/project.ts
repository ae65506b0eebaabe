import { readFileSync } from 'node:fs'
import path from 'node:path'
import { SaveCredentialRequest, UpdateProjectSettings } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { deleteSourceCredential, saveSourceCredential } from '@corrigenda/core/credentials'
import {
  createProject,
  deleteProject,
  describeDeployTarget,
  findDeployTarget,
  listProjects,
  updateProjectSettings,
} from '@corrigenda/core/projects'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { type DatabaseAccess, withDatabaseAccess } from '../environment/with-database-access.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import { printAnswer, toTable } from '../terminal/print.ts'
import { addDeployOptions, type DeployOptions, parseSwitch, toDeployChange } from './deploy-options.ts'

/**
 * Adds `project create | update | source-token | list | delete`, which use the database directly.
 * Intended for operators and infrastructure as code.
 */
export function addProjectCommands(program: Command, context: CommandContext): void {
  const project = program.command('project').description('create, update, list and delete projects')

  project
    .command('create')
    .description('create a project for one documentation repository')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--repository <url>', 'for example https://github.com/acme/docs')
    .option('--base <branch>', "base branch of pull requests (default: the repository's default branch)")
    .option('--json', 'print one JSON object')
    .action(async (options: { name: string; repository: string; base?: string; json?: boolean }) => {
      const input = { name: options.name, repository: options.repository, baseBranch: options.base ?? null }
      const created = await withDatabaseAccess(context, async (access) =>
        toProject(await createProject(access, input), access),
      )
      printAnswer(context, options.json, created, [
        `Created project ${created.id} (${created.name}) for ${created.repository}.`,
        `Next: corrigenda key create --project ${created.id} --name my-backend`,
      ])
    })

  addDeployOptions(
    project
      .command('update')
      .description('update a project')
      .argument('<id>')
      .option('--name <name>', 'new display name')
      .option('--repository <url>', 'new repository URL')
      .option('--base <branch>', "base branch of pull requests; empty for the repository's default branch")
      .option(
        '--delete-branch-on-close <on|off>',
        'delete the branch when its pull request is merged or closed',
        parseSwitch,
      ),
  )
    .option(
      '--settings <file>',
      'JSON file with budgets, policy and sources, in the format of PATCH …/settings; use - for standard input',
      (file) => readSettings(context.cwd, file),
    )
    .option('--json', 'print one JSON object')
    .action(
      async (
        id: string,
        options: {
          name?: string
          repository?: string
          base?: string
          deleteBranchOnClose?: boolean
          settings?: UpdateProjectSettings
          json?: boolean
        } & DeployOptions,
      ) => {
        const change: UpdateProjectSettings = {
          ...options.settings,
          ...(options.name === undefined ? {} : { name: options.name }),
          ...(options.repository === undefined ? {} : { repository: options.repository }),
          ...(options.base === undefined ? {} : { baseBranch: options.base || null }),
          ...(options.deleteBranchOnClose === undefined ? {} : { deleteBranchOnClose: options.deleteBranchOnClose }),
          ...toDeployChange(options),
        }
        const changed = await withDatabaseAccess(context, async (access) => {
          await updateProjectSettings(access, { projectId: id, change }).catch((error) => {
            if (!(error instanceof AppError) || error.code !== 'not_found') throw error
            throw new Error(`There is no project ${id}. List the projects with "corrigenda project list".`)
          })
          return toProject(await access.prisma.project.findUniqueOrThrow({ where: { id } }), access)
        })
        printAnswer(context, options.json, changed, [`Updated project ${changed.id}.`])
      },
    )

  addSourceTokenCommand(project, context)

  project
    .command('list')
    .description('list all projects')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const projects = await withDatabaseAccess(context, async (access) =>
        (await listProjects(access)).map((row) => toProject(row, access)),
      )
      const rows = projects.map((p) => [p.id, p.name, p.repository, p.base ?? '(default)'])
      printAnswer(context, options.json, { projects }, toTable([['ID', 'NAME', 'REPOSITORY', 'BASE'], ...rows]))
    })

  project
    .command('delete')
    .description('delete a project with its jobs, keys and settings; data on the Git host is kept')
    .argument('<id>')
    .requiredOption('--name <name>', "the project's name, as confirmation")
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { name: string; json?: boolean }) => {
      await withDatabaseAccess(context, (access) => deleteProject(access, { projectId: id, name: options.name }))
      printAnswer(context, options.json, { id }, [`Deleted project ${id}. Workers remove its data in the background.`])
    })
}

/**
 * Reads the settings from a file.
 * @throws InvalidArgumentError that names the invalid field
 */
function readSettings(cwd: string, file: string): UpdateProjectSettings {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file === '-' ? 0 : path.resolve(cwd, file), 'utf8'))
  } catch {
    throw new InvalidArgumentError('Use a file that contains one JSON object.')
  }
  const settings = UpdateProjectSettings.safeParse(json)
  if (settings.success) return settings.data
  const [first] = settings.error.issues
  const where = first?.path.join('.')
  throw new InvalidArgumentError(`${where ? `${where}: ` : ''}${first?.message ?? 'The settings are invalid'}.`)
}

type ProjectRow = Awaited<ReturnType<typeof listProjects>>[number]

function toProject(row: ProjectRow, { deployTargetKey }: Pick<DatabaseAccess, 'deployTargetKey'>) {
  const { id, name, repositoryUrl: repository, baseBranch: base, deployOnMerge, createdAt } = row
  const target = findDeployTarget(deployTargetKey, id, row.deployTarget)
  return {
    id,
    name,
    repository,
    base,
    deployHook: target?.kind === 'hook',
    deployTarget: target && describeDeployTarget(target),
    deployOnMerge,
    previewUrlTemplate: row.previewUrlTemplate,
    createdAt: createdAt.toISOString(),
  }
}

/**
 * Adds `project source-token`, which uses the database directly. The token is not an argument,
 * because other users of the machine can see the arguments of a process.
 */
function addSourceTokenCommand(project: Command, context: CommandContext): void {
  project
    .command('source-token')
    .description('save the access token of a source; prompts for it or reads it from standard input')
    .argument('<id>', 'project ID')
    .argument('<source>', "name of the source in the project's settings")
    .option('--remove', "remove the token, so that the project's credential is used")
    .option('--json', 'print one JSON object')
    .action(async (projectId: string, source: string, options: { remove?: boolean; json?: boolean }) => {
      const isRemoved = options.remove === true
      await withDatabaseAccess(context, async (access) => {
        if (isRemoved) return deleteSourceCredential(access, { projectId, source })
        const token = toToken(await askSecret(context, { question: 'Access token: ', noun: 'token' }))
        await saveSourceCredential(access, { projectId, source, token }).catch((error) => {
          if (!(error instanceof AppError) || error.code !== 'not_found') throw error
          throw new Error(`The project ${projectId} does not exist or has no source ${source}.`)
        })
      })
      printAnswer(context, options.json, { projectId, source, removed: isRemoved }, [
        isRemoved ? `The source ${source} has no token of its own.` : `Saved the token of the source ${source}.`,
      ])
    })
}

/** @throws Error that states the problem, without the token */
function toToken(text: string): string {
  const parsed = SaveCredentialRequest.safeParse({ token: text })
  if (parsed.success) return parsed.data.token
  throw new Error(`The token ${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
}

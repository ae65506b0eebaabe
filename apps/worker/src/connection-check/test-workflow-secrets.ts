import { buildGlob, GlobError } from '@corrigenda/git/text'
import { parse } from 'yaml'
import { type ConnectionCheckContext, type Found, failed, passed, skipped } from './steps.ts'

const FOLDER = '.github/workflows'
const SHOWN = 5

/**
 * Tests whether workflows run with secrets on the branches that jobs push, before anyone has
 * reviewed the change.
 */
export async function testWorkflowSecrets(context: ConnectionCheckContext): Promise<Found> {
  const { gitHost, commit, connection } = context
  if (!gitHost || commit === undefined) return skipped('Skipped because the base branch is unknown.')
  const files = await gitHost.readFolder({ path: FOLDER, ref: commit })
  const exposed = files.filter(
    ({ name, bytes }) =>
      /\.ya?ml$/i.test(name) && exposesSecrets(new TextDecoder().decode(bytes), `${connection.branchPrefix}job_1`),
  )
  if (exposed.length === 0) return passed('No workflow runs with secrets on the branches that jobs push.')
  const names = exposed.slice(0, SHOWN).map(({ name }) => name)
  const more = exposed.length > SHOWN ? ` and ${exposed.length - SHOWN} more` : ''
  return failed(
    `Jobs work, but workflows run with secrets on their branches before a review: ${names.join(', ')}${more}. Exclude the branches ${connection.branchPrefix}** from their triggers, or move the secrets to an environment that requires approval.`,
  )
}

/** The token of the workflow itself expires with it. */
const SECRET = /\$\{\{(?:(?!\}\})[\s\S]){0,500}\bsecrets\s{0,5}(?:\.|\[)(?!\s{0,5}['"]?GITHUB_TOKEN\b)/

/**
 * Returns true if a GitHub Actions workflow uses secrets and runs on a push to a branch, or on its
 * pull request. A job whose `environment` requires approval is not known, so a job with an
 * environment counts as protected.
 */
export function exposesSecrets(workflow: string, branch: string): boolean {
  let root: unknown
  try {
    root = parse(workflow, { maxAliasCount: 100, logLevel: 'silent' })
  } catch {
    return false
  }
  if (!isMap(root) || !runsOn(root.on, branch)) return false
  const { jobs, on: _on, ...rest } = root
  const parts = isMap(jobs) ? Object.values(jobs).filter((job) => !isMap(job) || job.environment === undefined) : []
  return [rest, ...parts].some((part) => usesSecrets(JSON.stringify(part) ?? ''))
}

const usesSecrets = (json: string): boolean => SECRET.test(json) || /"secrets":"inherit"/.test(json)

function runsOn(triggers: unknown, branch: string): boolean {
  if (typeof triggers === 'string') return triggers === 'push' || triggers.startsWith('pull_request')
  if (Array.isArray(triggers)) return triggers.some((one) => runsOn(one, branch))
  if (!isMap(triggers)) return false
  // `branches` of a pull request names its base, so it does not exclude the branches of jobs.
  if ('pull_request' in triggers || 'pull_request_target' in triggers) return true
  if (!('push' in triggers)) return false
  const push = isMap(triggers.push) ? triggers.push : {}
  if (push['branches-ignore'] !== undefined) return !matches(push['branches-ignore'], branch)
  if (push.branches !== undefined) return matches(push.branches, branch)
  return push.tags === undefined && push['tags-ignore'] === undefined
}

/** A later pattern takes precedence, and `!` negates it, as in GitHub's filters. */
function matches(patterns: unknown, branch: string): boolean {
  const list = (Array.isArray(patterns) ? patterns : [patterns]).map(String)
  return list.reduce((found, pattern) => {
    const isNegated = pattern.startsWith('!')
    return matchesOne(isNegated ? pattern.slice(1) : pattern, branch) ? !isNegated : found
  }, false)
}

function matchesOne(pattern: string, branch: string): boolean {
  try {
    return buildGlob(pattern)(branch)
  } catch (error) {
    if (error instanceof GlobError) return true
    throw error
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

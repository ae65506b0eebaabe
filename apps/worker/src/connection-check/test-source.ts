import type { StoredSource } from '@corrigenda/core/projects'
import { GitHostError } from '../git-host/git-host-error.ts'
import { buildPathFilter, toVisibility } from '../sources/source-deps.ts'
import {
  type ConnectionCheckContext,
  type Found,
  failed,
  findBranch,
  isGranted,
  need,
  passed,
  testContents,
  testCredential,
  testHost,
  testReadable,
  WORDS,
} from './steps.ts'

/**
 * Tests whether jobs can read a source, with the credential that they would use. Jobs also work if
 * only its pull requests cannot be read, its paths match no file, or its visibility is wrong.
 */
export async function testSource(of: ConnectionCheckContext, source: StoredSource): Promise<Found> {
  const context = toSourceContext(of, source)
  try {
    for (const test of [testHost, testCredential, testReadable, testBranch, testFiles]) {
      const { status, message } = await test(context)
      if (status === 'failed') return failed(message)
    }
    const { path, isPrivate } = need(context.facts)
    const aspects = [
      describeVisibility(source, isPrivate),
      await describePaths(context, source),
      await describePullRequests(context),
    ].filter(({ text }) => text !== '')
    const toText = (some: readonly Aspect[]) => some.map(({ text }) => text).join(' ')
    const problems = aspects.filter(({ isProblem }) => isProblem)
    if (problems.length === 0) return passed(`Jobs can read ${path} at ${need(context.branch)}. ${toText(aspects)}`)
    const facts = aspects.filter(({ isProblem }) => !isProblem)
    return { status: 'failed', isOptional: true, message: toText([...problems, ...facts]) }
  } finally {
    context.gitHost?.[Symbol.dispose]()
  }
}

const toSourceContext = ({ deps, connection, signal }: ConnectionCheckContext, source: StoredSource) => {
  const { repository: repositoryUrl, ref: baseBranch } = source
  const context: ConnectionCheckContext = {
    deps: { ...deps, credentials: deps.credentials.forSource(source) },
    connection: { ...connection, repositoryUrl, baseBranch },
    signal,
  }
  return context
}

async function testBranch(context: ConnectionCheckContext): Promise<Found> {
  const branch = await findBranch(context)
  if (branch === 'unreadable') return failed(NO_FILES)
  if (branch.exists) return passed(branch.name)
  return failed(
    context.connection.baseBranch === null
      ? `The default branch ${branch.name} has no commits. Push a first commit, or remove the source.`
      : `The branch ${branch.name} does not exist. Correct the branch of the source.`,
  )
}

const NO_FILES = `The credential cannot read the repository's files. Grant it "${WORDS.contentsRead}".`

/** Tests that git can read the repository, as a job does. */
async function testFiles(context: ConnectionCheckContext): Promise<Found> {
  const found = await testContents(context)
  return found.status === 'failed' ? failed(NO_FILES) : found
}

/** A sentence about a source. A problem does not prevent jobs from reading the source. */
interface Aspect {
  readonly isProblem: boolean
  readonly text: string
}
const fact = (text: string): Aspect => ({ isProblem: false, text })
const problem = (text: string): Aspect => ({ isProblem: true, text })

async function describePullRequests(context: ConnectionCheckContext): Promise<Aspect> {
  const isReadable =
    isGranted(context, 'pull_requests', 'read') ??
    (await need(context.gitHost).testAccess({ to: 'read_pull_requests' })) === 'granted'
  if (isReadable) return fact('')
  return problem(
    `The credential cannot read pull requests, so jobs that name one fail. Grant it "${WORDS.pullRequestsRead}".`,
  )
}

/** Counts the files that match the paths, if the host lists all files. */
async function describePaths(
  { gitHost, commit, signal }: ConnectionCheckContext,
  { paths }: StoredSource,
): Promise<Aspect> {
  if (paths.length === 0) return fact('')
  try {
    const files = await need(gitHost).listFiles({ commit: need(commit) })
    if (files.hasMore) return fact('')
    const count = files.paths.filter(buildPathFilter(paths)).length
    if (count > 0) return fact(`${count} ${count === 1 ? 'file matches' : 'files match'} its paths.`)
    return problem('No file matches the paths, so jobs read nothing. Correct the paths of the source.')
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof GitHostError) return fact('')
    throw error
  }
}

/** Describes what the host reports and how jobs treat the source. */
function describeVisibility({ visibility }: StoredSource, isPrivate: boolean | null): Aspect {
  const treated = toVisibility(visibility, isPrivate)
  if (isPrivate === null) {
    const why = visibility === null ? 'counts as' : 'is set to'
    return fact(`The Git host does not report the visibility, and the source ${why} ${treated}.`)
  }
  const reported = isPrivate ? 'private' : 'public'
  if (treated === reported) return fact(`The repository is ${reported}.`)
  if (treated === 'private') return fact('The repository is public, but the source is set to private.')
  return problem(
    'The repository is private, but its text may be published, because the source is set to public. Set it to private, and list the files that may be quoted.',
  )
}

import { POLICY_FILE_NAMES, PolicyFile, type RunPolicyFile } from '@corrigenda/contracts'
import { RepositoryError } from '@corrigenda/git/objects'
import type { Snapshot } from '@corrigenda/git/snapshot'
import { measureYamlDepth } from '@corrigenda/site/pages'
import { LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'

const MAX_BYTES = 65_536
/** Maximum nesting depth. The deepest meaningful structure is a list in a mapping in a mapping. */
const MAX_DEPTH = 8
const MAX_PROBLEMS = 5

/** Thrown for an invalid policy file. The message explains how to fix it and is safe to display. */
export class PolicyFileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PolicyFileError'
  }
}

/**
 * Reads the repository's policy file (`.corrigenda.yml` in the root) at a commit. Returns null if
 * the file does not exist. Unknown settings are rejected, because a misspelled rule must not be
 * silently dropped.
 * @throws PolicyFileError if it is not an ordinary file, is too large, is not YAML, or contains an
 *   unsupported setting
 */
export async function readPolicyFile(
  snapshot: Pick<Snapshot, 'tree' | 'readTree' | 'readBlob'>,
): Promise<RunPolicyFile | null> {
  const root = await snapshot.readTree(snapshot.tree)
  const found = root.entries.flatMap(({ name, oid, mode }) =>
    name !== null && POLICY_FILE_NAMES.includes(name.toLowerCase()) ? [{ path: name, blob: oid, mode }] : [],
  )
  const [entry] = found
  if (entry === undefined) return null
  const { path, blob, mode } = entry
  if (found.length > 1) {
    throw new PolicyFileError(`The repository has ${found.map((one) => one.path).join(' and ')}. Keep one of them.`)
  }
  if (!POLICY_FILE_NAMES.includes(path)) {
    throw new PolicyFileError(`The repository's policy file is named ${path}. Rename it to ${POLICY_FILE_NAMES[0]}.`)
  }
  if (mode !== '100644' && mode !== '100755') {
    throw new PolicyFileError(`The repository's ${path} is a folder or a link. Replace it with an ordinary file.`)
  }
  return { path, blob, policy: parsePolicyFile(path, await readText(snapshot, path, blob)) }
}

async function readText(snapshot: Pick<Snapshot, 'readBlob'>, path: string, oid: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await snapshot.readBlob(oid, MAX_BYTES))
  } catch (error) {
    if (error instanceof TypeError)
      throw new PolicyFileError(`The repository's ${path} is not UTF-8 text. Save it as UTF-8.`)
    if (!(error instanceof RepositoryError) || error.code !== 'too_large') throw error
    throw new PolicyFileError(`The repository's ${path} is larger than ${MAX_BYTES / 1024} KB. Shorten it.`)
  }
}

/** @throws PolicyFileError */
export function parsePolicyFile(path: string, text: string): PolicyFile {
  const parsed = PolicyFile.safeParse(parseYaml(path, text) ?? {})
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map(describeIssue)
  throw new PolicyFileError(
    `The repository's ${path} is invalid, and nothing was changed. ${problems.join(' ')} Correct it on the base branch and create the job again.`,
  )
}

function parseYaml(path: string, text: string): unknown {
  const refuse = (why: string) =>
    new PolicyFileError(`The repository's ${path} is not valid YAML (${why}). Correct it on the base branch.`)
  if (measureYamlDepth(text) > MAX_DEPTH) throw refuse('nested too deeply')
  const lines = new LineCounter()
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, lineCounter: lines, prettyErrors: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem)
    throw refuse(`line ${lines.linePos(problem.pos[0]).line}: ${problem.code.toLowerCase().replaceAll('_', ' ')}`)
  try {
    return document.toJS({ maxAliasCount: 0 })
  } catch {
    throw refuse('aliases are not supported')
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, 3).map((key) => JSON.stringify(key.slice(0, 60)))
    return `Unknown ${keys.length === 1 ? 'setting' : 'settings'} ${keys.join(' and ')}${at === '' ? '' : ` in ${at}`}.`
  }
  const what = at === '' ? 'The file' : `"${at}"`
  // The product's messages continue the sentence after the subject. The library's messages start a
  // new one.
  return `${what}${/^[a-z]/.test(issue.message) ? '' : ':'} ${issue.message}.`
}

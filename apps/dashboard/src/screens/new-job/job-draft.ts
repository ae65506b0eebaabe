import {
  DOCS_SOURCE,
  type JobRequest,
  type JobSource,
  Questions,
  SUGGESTED_PROMPTS,
  toJobRequest,
  toJobSource,
} from '@corrigenda/contracts'
import { fromLines, fromPairs, toLines, toPairs } from '../settings/form-text.ts'

/** A source in the form, and what to read of it, as in the text form of a source: `main`, `#42`. */
export interface SourceDraft {
  readonly name: string
  readonly at: string
}

/**
 * The form values: a string for every request field, or a boolean or sources. Null is the project's
 * default.
 */
export type JobDraft = {
  readonly [Field in keyof Omit<Required<JobRequest>, 'sources'>]: JobRequest[Field] extends boolean | undefined
    ? boolean | null
    : string
} & { readonly sources: readonly SourceDraft[] | null }

export const EMPTY_DRAFT: JobDraft = {
  prompt: '',
  model: '',
  ref: '',
  draft: null,
  branch: '',
  title: '',
  labels: '',
  dedupe: null,
  questions: '',
  metadata: '',
  sources: null,
}

/** Converts a stored draft, which an older version may have written. Returns null for other values. */
export function readJobDraft(stored: unknown): JobDraft | null {
  if (stored === null || typeof stored !== 'object') return null
  const isValid: Readonly<Record<'text' | 'flag' | 'sources', (value: unknown) => boolean>> = {
    text: (value) => typeof value === 'string',
    flag: (value) => value === null || typeof value === 'boolean',
    sources: (value) => value === null || (Array.isArray(value) && value.every(isSourceDraft)),
  }
  const known = Object.entries(EMPTY_DRAFT).map(([name, empty]) => {
    const value = (stored as Record<string, unknown>)[name]
    const kind = name === 'sources' ? 'sources' : typeof empty === 'string' ? 'text' : 'flag'
    return [name, isValid[kind](value) ? value : empty]
  })
  return Object.fromEntries(known) as JobDraft
}

const isSourceDraft = (value: unknown): boolean =>
  value !== null &&
  typeof value === 'object' &&
  typeof (value as SourceDraft).name === 'string' &&
  typeof (value as SourceDraft).at === 'string'

/** Adds an example or a saved prompt. It replaces only an example that the user has not changed. */
export function addPrompt(prompt: string, added: string): string {
  const known = prompt.trim()
  const isExample = SUGGESTED_PROMPTS.some((one) => one.prompt === known)
  return known === '' || isExample ? added : `${prompt.trimEnd()}\n\n${added}`
}

/** Fills the form with the request of an earlier job. Defaults of the project stay empty. */
export function toDraft(request: JobRequest, project: { baseBranch: string | null; model: string | null }): JobDraft {
  const { prompt, model = '', ref = '', draft = null, branch = '', title = '', labels = [], metadata = {} } = request
  const { dedupe = null, questions = '', sources } = request
  return {
    prompt,
    model: model === project.model ? '' : model,
    ref: ref === project.baseBranch ? '' : ref,
    draft,
    branch,
    title,
    dedupe,
    questions,
    labels: fromLines(labels),
    metadata: fromPairs(metadata),
    sources: sources === undefined ? null : withDocs(sources.map(toSourceDraft)),
  }
}

/** The documentation is always read, so the request names it only if it is read at another place. */
const withDocs = (sources: readonly SourceDraft[]): readonly SourceDraft[] =>
  sources.some(({ name }) => name === DOCS_SOURCE) ? sources : [{ name: DOCS_SOURCE, at: '' }, ...sources]

/** The inverse of `toText` and `toJobSource`. */
function toSourceDraft({ name, ref = '', since, pullRequest }: JobSource): SourceDraft {
  if (pullRequest !== undefined) return { name, at: `#${pullRequest}` }
  return { name, at: since === undefined ? ref : `${since}..${ref}` }
}

/**
 * Converts the form values into a request. Omits empty fields.
 * @throws Error with a user-facing message if a line of `metadata` is not a NAME=VALUE pair, or a
 * source is not valid
 */
export function toRequest(draft: JobDraft): JobRequest {
  const labels = toLines(draft.labels)
  const metadata = toPairs(draft.metadata)
  return toJobRequest({
    prompt: draft.prompt,
    model: draft.model.trim() || undefined,
    ref: draft.ref.trim() || undefined,
    draft: draft.draft ?? undefined,
    branch: draft.branch.trim() || undefined,
    title: draft.title.trim() || undefined,
    labels: labels.length > 0 ? labels : undefined,
    dedupe: draft.dedupe ?? undefined,
    questions: Questions.optional().catch(undefined).parse(draft.questions),
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    sources: toSources(draft),
  })
}

/** `docs` alone is an empty list, because it is always open. */
function toSources({ sources }: JobDraft): JobRequest['sources'] {
  const asked = sources?.map(({ name, at }) => toJobSource(toText(name, at.trim())))
  return asked?.filter((source) => source.name !== DOCS_SOURCE || Object.keys(source).length > 1)
}

const toText = (name: string, at: string): string =>
  at === '' ? name : at.startsWith('#') ? name + at : `${name}@${at}`

/** Returns the error in the sources, or null. */
export const findSourcesError = (draft: JobDraft): string | null => findError(() => toSources(draft))

/** Returns the error in the metadata, or null. */
export const findMetadataError = ({ metadata }: JobDraft): string | null => findError(() => toPairs(metadata))

function findError(parse: () => unknown): string | null {
  try {
    parse()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

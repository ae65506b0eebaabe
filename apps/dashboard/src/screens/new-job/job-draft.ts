import { DOCS_SOURCE, type JobRequest, toJobRequest, toJobSource } from '@corrigenda/contracts'
import { toLines, toPairs } from '../settings/form-text.ts'

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
  metadata: '',
  sources: null,
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

import { type JobRequest, toJobRequest } from '@corrigenda/contracts'
import { toLines, toPairs } from '../settings/form-text.ts'

/** The form values: a string for every request field, or a boolean. Null is the project's default. */
export type JobDraft = {
  readonly [Field in keyof Required<JobRequest>]: JobRequest[Field] extends boolean | undefined
    ? boolean | null
    : string
}

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
}

/**
 * Converts the form values into a request. Omits empty fields.
 * @throws Error with a user-facing message if a line of `metadata` is not a NAME=VALUE pair
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
  })
}

/** Returns the error in the metadata, or null. */
export function findMetadataError({ metadata }: JobDraft): string | null {
  try {
    toPairs(metadata)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

import {
  DOCS_SOURCE,
  JOB_OPTION_LIST,
  type JobOption,
  type JobOptionKind,
  type JobOptionName,
  type JobRequest,
  type JobSource,
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

/** The form of an option: the value that the user enters, and the value in the request. */
interface Form {
  readonly empty: unknown
  readonly isValid: (entered: unknown) => boolean
  /** @throws Error with a user-facing message if the value is not valid */
  readonly toValue: (entered: never, option: JobOption) => unknown
  readonly fromValue: (value: never) => unknown
}

const isText = (entered: unknown) => typeof entered === 'string'

const FORMS: Readonly<Record<JobOptionKind, Form>> = {
  text: {
    empty: '',
    isValid: isText,
    toValue: (text: string) => text.trim() || undefined,
    fromValue: (text: string) => text,
  },
  switch: {
    empty: null,
    isValid: (entered) => entered === null || typeof entered === 'boolean',
    toValue: (isOn: boolean | null) => isOn ?? undefined,
    fromValue: (isOn: boolean) => isOn,
  },
  choice: {
    empty: '',
    isValid: isText,
    toValue: (choice: string, { schema }) => schema.safeParse(choice).data,
    fromValue: (choice: string) => choice,
  },
  list: {
    empty: '',
    isValid: isText,
    toValue: (text: string) => toUndefined(toLines(text)),
    fromValue: fromLines,
  },
  pairs: {
    empty: '',
    isValid: isText,
    toValue: (text: string) => toUndefined(toPairs(text)),
    fromValue: fromPairs,
  },
  sources: {
    empty: null,
    isValid: (entered) => entered === null || (Array.isArray(entered) && entered.every(isSourceDraft)),
    toValue: toSources,
    fromValue: (sources: readonly JobSource[]) => withDocs(sources.map(toSourceDraft)),
  },
}

/** Returns undefined for an empty list or object. */
const toUndefined = <T extends object>(value: T): T | undefined => (Object.keys(value).length > 0 ? value : undefined)

const toDraftOf = (prompt: string, enter: (name: JobOptionName, form: Form) => unknown): JobDraft => {
  const entered = JOB_OPTION_LIST.map(([name, { kind }]) => [name, enter(name, FORMS[kind])])
  return { prompt, ...Object.fromEntries(entered) } as JobDraft
}

export const EMPTY_DRAFT: JobDraft = toDraftOf('', (_name, { empty }) => empty)

/** Converts a stored draft, which an older version may have written. Returns null for other values. */
export function readJobDraft(stored: unknown): JobDraft | null {
  if (stored === null || typeof stored !== 'object') return null
  const values = stored as Record<string, unknown>
  return toDraftOf(isText(values.prompt) ? (values.prompt as string) : '', (name, { empty, isValid }) =>
    isValid(values[name]) ? values[name] : empty,
  )
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
  const defaults: Partial<Record<JobOptionName, unknown>> = { model: project.model, ref: project.baseBranch }
  return toDraftOf(request.prompt, (name, { empty, fromValue }) => {
    const value = request[name]
    return value === undefined || value === defaults[name] ? empty : fromValue(value as never)
  })
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
 * @throws Error with a user-facing message if a value is not valid
 */
export const toRequest = (draft: JobDraft): JobRequest =>
  toJobRequest(draft.prompt, (name, option) => FORMS[option.kind].toValue(draft[name] as never, option))

/** `docs` alone is an empty list, because it is always open. */
function toSources(sources: JobDraft['sources']): JobRequest['sources'] {
  const asked = sources?.map(({ name, at }) => toJobSource(toText(name, at.trim())))
  return asked?.filter((source) => source.name !== DOCS_SOURCE || Object.keys(source).length > 1)
}

const toText = (name: string, at: string): string =>
  at === '' ? name : at.startsWith('#') ? name + at : `${name}@${at}`

export type DraftErrors = Readonly<Partial<Record<keyof JobDraft, string>>>

/** Returns the messages about options that are not valid. */
export function findErrors(draft: JobDraft): DraftErrors {
  const errors: Partial<Record<keyof JobDraft, string>> = {}
  for (const [name, option] of JOB_OPTION_LIST) {
    try {
      FORMS[option.kind].toValue(draft[name] as never, option)
    } catch (error) {
      errors[name] = (error as Error).message
    }
  }
  return errors
}

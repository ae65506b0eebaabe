import { JobSource } from './source.ts'

/** The text form of a source of a job, for the command line and forms. */
export const JOB_SOURCE_FORM = 'NAME, NAME@REF, NAME@SINCE..REF or NAME#NUMBER'

/**
 * Parses the text form of a source of a job: `api`, `api@main`, `api@v1.2..main`, `api@last-job..`
 * and `api#42` for a pull request. Branch names contain no `..`, so a range is unambiguous.
 * @throws Error that states the problem
 */
export function toJobSource(text: string): JobSource {
  const [, name, number, at] = /^([^@#]+)(?:#(\d+)|@(.+))?$/.exec(text.trim()) ?? []
  const [, since, end] = /^(.+?)\.{2,3}(.*)$/s.exec(at ?? '') ?? [undefined, undefined, at]
  const source = JobSource.safeParse({
    name,
    ...(end ? { ref: end } : {}),
    ...(number === undefined ? {} : { pullRequest: Number(number) }),
    ...(since === undefined ? {} : { since }),
  })
  if (name === undefined) throw new Error(`The source "${text}" must have the form ${JOB_SOURCE_FORM}.`)
  if (source.success) return source.data
  const [issue] = source.error.issues
  const where = issue?.path.length ? `${issue.path.join('.')} ` : ''
  throw new Error(`The source "${text}" is not valid: ${where}${issue?.message ?? ''}.`)
}

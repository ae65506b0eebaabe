import { AppError } from '../base/errors.ts'

/** Error for a prompt that an active job is already working on. */
export class DuplicateJobError extends AppError {
  constructor(readonly jobId: string) {
    super(
      'duplicate_job',
      `The job ${jobId} is already working on the same prompt and base branch. Poll it, or create another job after it has ended. To run both, send {"dedupe": false}.`,
    )
  }
}

/**
 * Returns the error for a project that has reached its limit of open pull requests.
 * @param input.reserved number of active jobs without a pull request, which count as open ones
 * @param input.urls some of the open pull requests
 */
export function toPullRequestLimitError(input: {
  max: number
  open: number
  reserved: number
  urls: readonly string[]
}): AppError {
  const { max, open, reserved, urls } = input
  const more = open > urls.length ? ` and ${open - urls.length} more` : ''
  const parts = [
    ...(open > 0 ? [`${open} open (${urls.join(', ')}${more})`] : []),
    ...(reserved > 0 ? [`${reserved} reserved for active jobs`] : []),
  ]
  return new AppError(
    'too_many_pull_requests',
    `This project has reached its limit of ${max} open pull request${max === 1 ? '' : 's'}: ${parts.join(' and ')}. Merge or close one, or wait for a job to end, then try again.`,
  )
}

/** Values of `reaction` and `advice` that several rows share. */

export const NO_RETRY = 'Does not retry.'
export const RETRY_CALL = 'Retries the call with backoff.'
export const RETRY_THREE = 'Retries the call with backoff. Three calls in total.'
export const RETRY_RUN = 'Retries the call, then releases the run and retries after 5, 10, 20 and 40 s.'
export const RELEASE_REPEATEDLY = 'Releases the run and retries after 5, 10, 20 and 40 s.'
export const RELEASE_ONCE = 'Releases the run and retries after 5 s.'
export const WAIT_RELEASED = 'Releases the run and continues at the requested time. Does not count as an attempt.'
export const WAIT_HOURLY = 'Releases the run 24 times, for at most an hour each time.'
export const ASK_AGAIN = 'Discards the reply and repeats the request.'
export const NEW_CONVERSATION = 'Starts a new conversation. A run has at most three.'
export const NO_FOREIGN_REDIRECT = 'Does not follow the redirect. The token is sent to only one origin.'
export const ADOPT = 'Searches for the pull request before any retry, and uses the existing one.'
export const REPORT_AS_IS = "Reports the pull request's state. Does not open a second one."

export const WHEN_API_IS_BACK = 'When the API is available again'
export const WHEN_HOST_IS_BACK = 'When the host is available again'
export const WITH_VALID_TOKEN = 'With a valid token'
export const WITH_OTHER_BRANCH = 'With a different branch'
export const WITH_FINAL_URL = 'With the final URL'
export const AFTER_GRANT = 'After you grant the permission'
export const AFTER_UNARCHIVING = 'After you unarchive the repository'
export const AFTER_URL_OR_ACCESS = 'After you fix the URL or grant access'

export { buildGitHttp, type GitHttpOptions } from './git-http.ts'
export { GitHttpError, type GitHttpErrorCode } from './git-http-error.ts'
export { findBranchTip } from './list-refs.ts'
export { toRetryAfterMs } from './retry-after.ts'

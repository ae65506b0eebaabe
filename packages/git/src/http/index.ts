export { GitHttpError, type GitHttpErrorCode } from './git-http-error.ts'
export { type GitHttpOptions, buildGitHttp } from './git-http.ts'
export { findBranchTip } from './list-refs.ts'

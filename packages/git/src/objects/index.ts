export { type BoundedCache, buildBoundedCache } from './bounded-cache.ts'
export { hashObject } from './hash-object.ts'
export { RepositoryError, type RepositoryErrorCode } from './repository-error.ts'

export { buildSiteIndex } from './build-site-index.ts'
export { findEntryPages } from './find-entry-pages.ts'
export { isReachable } from './is-reachable.ts'

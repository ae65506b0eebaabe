import type { LinkTarget } from './site-index.ts'

/** The target of a link that is not checked. */
export const UNRESOLVED: LinkTarget = {
  verdict: 'unknown',
  doubt: 'link',
  area: null,
  paths: [],
  anchor: null,
  redirect: null,
  kind: 'relative',
  isFolder: false,
}

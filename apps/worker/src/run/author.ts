import type { Identity } from '@corrigenda/git/commit'

/** Author and committer of every commit. The address cannot receive mail and belongs to nobody. */
export const AUTHOR: Identity = { name: 'Corrigenda', email: 'corrigenda@users.noreply.invalid' }

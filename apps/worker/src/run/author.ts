import type { Identity } from '@corrigenda/git/commit'

/**
 * Author and committer of every commit. The address belongs to no person and cannot receive mail.
 */
export const AUTHOR: Identity = { name: 'Corrigenda', email: 'corrigenda@users.noreply.invalid' }

import type { Identity } from '@corrigenda/git/commit'

/**
 * Author and committer of every commit. The address is not assigned to anyone and cannot receive
 * mail.
 */
export const AUTHOR: Identity = { name: 'Corrigenda', email: 'corrigenda@users.noreply.invalid' }

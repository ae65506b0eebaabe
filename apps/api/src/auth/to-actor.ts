import type { Person } from '@corrigenda/core/accounts'
import type { Actor } from '@corrigenda/core/projects'

/** Returns the signed-in user in the format of the audit record of a change. */
export const toActor = ({ userId, name }: Person): Actor => ({ id: userId, name })

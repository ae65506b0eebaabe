import type { Person } from '@corrigenda/core/accounts'
import type { Actor } from '@corrigenda/core/projects'

/** Who is signed in, as the record of a change names them. */
export const toActor = ({ userId, name }: Person): Actor => ({ id: userId, name })

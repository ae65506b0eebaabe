import type { Actor, Person } from '@corrigenda/core'

/** Who is signed in, as the record of a change names them. */
export const toActor = ({ userId, name }: Person): Actor => ({ id: userId, name })

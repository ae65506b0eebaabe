import type { SignedInUser } from '@corrigenda/core/accounts'
import type { Actor } from '@corrigenda/core/projects'

/** Returns the signed-in user in the format that is recorded with a change. */
export const toActor = ({ userId, name }: SignedInUser): Actor => ({ id: userId, name })

export { AppError, type ErrorCode, LostLeaseError } from './errors.ts'
export { newId } from './new-id.ts'
export { openParts } from './open-parts.ts'
export { toStorable } from './to-storable.ts'

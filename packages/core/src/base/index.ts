export { AppError, type ErrorCode, LostLeaseError } from './errors.ts'
export { newId } from './new-id.ts'
export { openResources } from './open-resources.ts'
export { toStorable } from './to-storable.ts'

export { checkInstance, ensureInstance, OTHER_SECRET } from './ensure-instance.ts'
export { deriveSecrets } from './secret.ts'

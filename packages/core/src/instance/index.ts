export type { SealingKey } from '../sealing/sealing-key.ts'
export {
  checkInstance,
  type InstanceSecrets,
  OTHER_SECRET,
  openInstance,
  type SecretSettings,
  toSealingKeys,
} from './open-instance.ts'
export { deriveSecrets, isWeakSecret } from './secret.ts'
export { ensureSigningKey, findSigningKey, removeSigningKey, type SigningKey } from './signing-key.ts'
export { watchActivation } from './watch-activation.ts'

/**
 * Key that encrypts stored secrets (32 bytes). During a rotation of the service secret, the key of
 * the new secret and the key of the previous one.
 */
export type SealingKey = Buffer | RotatingKey

interface RotatingKey {
  readonly current: Buffer
  readonly previous: Buffer
  /** Fingerprint in the database as long as the previous secret is the active one. */
  readonly previousFingerprint: string | null
}

/** The part of an open transaction that `toActiveKey` uses. */
interface Transaction {
  $queryRaw<T>(query: TemplateStringsArray): PromiseLike<T>
}

/**
 * Returns the key that new values are sealed with. Until `corrigenda secret rotate` activates the
 * new secret, this is the previous one, because other processes may not have the new secret yet.
 * @param tx the transaction that stores the sealed value. The instance's row stays locked until its
 * end, so that the rotation finds every value that was sealed before it.
 */
export async function toActiveKey(tx: Transaction, key: SealingKey): Promise<Buffer> {
  if (Buffer.isBuffer(key)) return key
  if (key.previousFingerprint === null) return key.current
  const [row] = await tx.$queryRaw<{ fingerprint: string }[]>`
    SELECT secret_fingerprint AS fingerprint FROM instance WHERE id = 1 FOR SHARE`
  return row?.fingerprint === key.previousFingerprint ? key.previous : key.current
}

/** Returns the keys to try, most likely first. */
export const listKeys = (key: SealingKey): readonly Buffer[] =>
  Buffer.isBuffer(key) ? [key] : [key.current, key.previous]

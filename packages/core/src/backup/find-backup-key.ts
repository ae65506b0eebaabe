import { findActive, OTHER_SECRET, type SecretSettings } from '../instance/open-instance.ts'
import { deriveSecrets } from '../instance/secret.ts'
import type { BackupHeader } from './backup-header.ts'

/**
 * Returns the key that authenticates a backup: that of the configured secret which the database of the
 * backup used.
 * @throws Error if it used another secret
 */
export async function findBackupKey(
  { secretFingerprint }: Pick<BackupHeader, 'secretFingerprint'>,
  secrets: SecretSettings,
): Promise<Buffer> {
  const active = secretFingerprint === null ? 'current' : await findActive(secrets, secretFingerprint)
  const secret = active === 'previous' ? secrets.previousSecret : secrets.secret
  if (active === null || secret === null) throw new Error(`${OTHER_SECRET} A backup does not contain the secret.`)
  return deriveSecrets(secret).backupKey
}

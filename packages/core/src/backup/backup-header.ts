import { z } from 'zod'

/**
 * First line of a backup, after `-- corrigenda-backup `. The rest of a backup is SQL in the format
 * of `pg_dump --data-only`: a COPY statement with its rows per table, and the values of the
 * sequences. Everything is compressed with gzip.
 */
export const BackupHeader = z.object({
  format: z.literal(1),
  /** Time of the snapshot, ISO 8601. */
  createdAt: z.string(),
  /** Migrations that the database had, in order. */
  migrations: z.array(z.string()).min(1),
  /** Fingerprint of the secret that the database used; null if no process had started yet. */
  secretFingerprint: z.string().nullable(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

export const HEADER_MARK = '-- corrigenda-backup '
/** Starts the last line, which contains the number of rows. A backup without it is incomplete. */
export const END_MARK = '-- corrigenda-backup-end '
/** Ends the rows of a COPY statement. Rows never consist of this text, because COPY escapes it. */
export const COPY_END = '\\.'
export const NOT_A_BACKUP = 'The file is not a backup that "corrigenda backup" of this version wrote.'
export const DAMAGED = 'The backup is incomplete or damaged. No data was restored. Use another backup.'

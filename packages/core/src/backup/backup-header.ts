import { z } from 'zod'

/**
 * First line of a backup, after `-- corrigenda-backup `. The rest of a backup is SQL in the format
 * of `pg_dump --data-only`: a COPY statement with its rows per table, and the values of the
 * sequences. Everything is compressed with gzip. The last line authenticates all lines before it.
 */
export const BackupHeader = z.object({
  format: z.literal(2),
  /** Time of the snapshot, ISO 8601. */
  createdAt: z.string(),
  /** Migrations that the database had, in order. */
  migrations: z.array(z.string()).min(1),
  /** Fingerprint of the secret that the database used; null if no process had started yet. */
  secretFingerprint: z.string().nullable(),
})
export type BackupHeader = z.infer<typeof BackupHeader>

export const HEADER_MARK = '-- corrigenda-backup '
/** Starts the last line. A backup without it is incomplete. */
export const END_MARK = '-- corrigenda-backup-end '
/** Rest of the last line. */
export const BackupEnd = z.object({
  rows: z.number().int(),
  /** HMAC-SHA-256 of the lines before, with a key from the secret of the header, in hex. */
  hmac: z.string(),
})
export const ENCODING = "SET client_encoding = 'UTF8';"
/** Ends the rows of a COPY statement. Rows never consist of this text, because COPY escapes it. */
export const COPY_END = '\\.'
export const NOT_A_BACKUP = 'The file is not a backup that "corrigenda backup" of this version wrote.'
export const DAMAGED = 'The backup is incomplete or damaged. No data was restored. Use another backup.'
export const UNEXPECTED =
  'The backup contains a line that is neither the rows of a table nor the value of a sequence. No data was restored. Use another backup.'
export const CHANGED =
  'The backup was changed after it was written, or another CORRIGENDA_SECRET wrote it. No data was restored. Use another backup.'

/** Statement that a backup contains before the rows of a table. */
export const toCopy = ({ name, columns }: { name: string; columns: string }): string =>
  `COPY public.${name} (${columns}) FROM stdin;`

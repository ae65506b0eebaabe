export type { BackupHeader } from './backup-header.ts'
export { type RestoreSummary, restoreBackup } from './restore-backup.ts'
export { type BackupSummary, writeBackup } from './write-backup.ts'

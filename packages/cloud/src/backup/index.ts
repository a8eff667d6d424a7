export {
  configuredLock,
  createBackupSchedule,
  createBackupTask,
  keepLease,
  readSecrets,
} from './backup-schedule.ts'
export { BackupStateStore } from './backup-state-store.ts'
export { type BackupKey, type BackupLock, MIN_PASSPHRASE_LENGTH } from './encryption.ts'
export { BackupError, type BackupHeader, type BackupSource } from './format.ts'
export { openRepository, readPlace } from './place.ts'
export { rehearseRestore } from './rehearse.ts'
export { restoreBackup } from './restore.ts'
export { runBackup } from './run-backup.ts'
export { createTarSink, openTarSource } from './tar-file.ts'
export { newBackupId, writeBackup } from './write-backup.ts'

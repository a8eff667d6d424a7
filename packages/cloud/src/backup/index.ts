export {
  type BackupKey,
  type BackupLock,
  MIN_PASSPHRASE_LENGTH,
} from './encryption.ts'
export type { BackupSource } from './entries.ts'
export { BackupError } from './format.ts'
export { rehearseRestore } from './rehearse.ts'
export { restoreBackup } from './restore.ts'
export { createTarSink, openTarSource } from './tar-file.ts'
export { writeBackup } from './write-backup.ts'

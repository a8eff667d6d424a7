import { type Config, loadAuthSecret, nodeFolder } from '../config/index.ts'
import type { BackupLock } from './encryption.ts'
import type { BackupSecrets } from './format.ts'
import { type BackupTask, plainS3 } from './run-backup.ts'

/** Returns the secrets of a cloud, for its backups. */
export async function readSecrets({ auth, data }: Config): Promise<BackupSecrets> {
  const authSecret = await loadAuthSecret(auth.secret, data.dir)
  const { previousSecret } = auth
  return previousSecret === undefined ? { authSecret } : { authSecret, previousAuthSecret: previousSecret }
}

/** Returns what the settings encrypt backups with; undefined: nothing. */
export function configuredLock({ backup: { passphrase, recipients } }: Config): BackupLock | undefined {
  if (passphrase !== undefined) return { passphrase }
  return recipients.length === 0 ? undefined : { recipients }
}

/** Describes a backup into a repository. @param to a folder or `s3://bucket/prefix` */
export function createBackupTask(
  config: Config,
  to: string,
  secrets: BackupSecrets,
  lock: BackupLock | undefined,
  programVersion: string,
): BackupTask {
  const { databaseUrl, dir: dataDir, diskReserveBytes, s3 } = config.data
  return {
    to,
    s3: plainS3(config.backup.s3),
    lock,
    keep: config.backup.keep,
    databaseUrl,
    dataDir,
    fileS3: plainS3(s3),
    diskReserveBytes,
    secrets,
    programVersion,
    scratchFolder: nodeFolder(config.data, 'backup-scratch'),
  }
}

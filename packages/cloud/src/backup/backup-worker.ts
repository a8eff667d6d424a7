import { parentPort, workerData } from 'node:worker_threads'
import { type BackupTask, runBackup } from './run-backup.ts'

/** What the worker thread receives. */
export interface BackupWork {
  readonly task: BackupTask
  readonly leaseOwner: string
}

/** What the worker thread answers. */
export type BackupOutcome =
  | { readonly ok: true; readonly backup: Awaited<ReturnType<typeof runBackup>> }
  | { readonly ok: false; readonly message: string }

/** A worker thread: makes one backup, so that hashing and encryption do not delay the cloud, and ends. */
const { task, leaseOwner } = workerData as BackupWork

const outcome: BackupOutcome = await runBackup(task, leaseOwner).then(
  (backup) => ({ ok: true, backup }) as const,
  (error: unknown) =>
    ({ ok: false, message: error instanceof Error ? error.message : String(error) }) as const,
)
parentPort?.postMessage(outcome)

import { parentPort, workerData } from 'node:worker_threads'
import { type BackupTask, runBackup } from './run-backup.ts'

/** What the worker thread answers. */
export type BackupOutcome =
  | { readonly ok: true; readonly backup: Awaited<ReturnType<typeof runBackup>> }
  | { readonly ok: false; readonly message: string }

/** A worker thread: makes one backup, so that hashing and encryption do not delay the cloud, and ends. */
const outcome: BackupOutcome = await runBackup(workerData as BackupTask).then(
  (backup) => ({ ok: true, backup }) as const,
  (error: unknown) =>
    ({ ok: false, message: error instanceof Error ? error.message : String(error) }) as const,
)
parentPort?.postMessage(outcome)

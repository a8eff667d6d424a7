import { pino } from 'pino'
import { DiskSpace, openBlobStore } from '../blobs/index.ts'
import type { Config } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import {
  createSpeechModelTools,
  type InstalledModels,
  SpeechModelMissingError,
} from '../features/speech-models/index.ts'
import { systemClock } from '../time/index.ts'

/**
 * Runs a check with the speech models that are installed now. There are none if the database cannot be opened, which another
 * check reports.
 */
export async function withInstalledModels<Result>(
  config: Config,
  check: (models: InstalledModels) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dir, s3, diskReserveBytes } = config.data
  const db = await openDatabase({ databaseUrl, dataDir: dir }).catch(() => undefined)
  if (db === undefined)
    return check(listOf([], async (id) => Promise.reject(new SpeechModelMissingError(id))))
  const log = pino({ level: 'silent' })
  try {
    const space = new DiskSpace(dir, diskReserveBytes)
    const blobs = await openBlobStore({ dataDir: dir, s3, space, log })
    const { store, folders, downloader } = createSpeechModelTools({
      db,
      blobs,
      config,
      clock: systemClock,
      log,
    })
    try {
      const installed = await store.listInstalled()
      const folderOf = async (id: string) => {
        const found = installed.find(({ model }) => model.id === id)
        if (!found) throw new SpeechModelMissingError(id)
        return folders.ensure(found)
      }
      return await check(
        listOf(
          installed.map(({ model }) => model),
          folderOf,
        ),
      )
    } finally {
      await folders.removeTemporary()
      await downloader.close()
      await blobs.close()
    }
  } finally {
    await db.destroy()
  }
}

/** A list that does not change during a check. */
function listOf(
  models: ReturnType<InstalledModels['list']>,
  folderOf: InstalledModels['folderOf'],
): InstalledModels {
  return { list: () => models, onChange: () => () => {}, folderOf }
}

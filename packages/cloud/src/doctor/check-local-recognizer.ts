import type { Finding } from '@glasses-cloud/contract'
import { pino } from 'pino'
import { DiskSpace, openBlobStore } from '../blobs/index.ts'
import type { Config } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { RecognizerPool } from '../features/local-speech/index.ts'
import { createSpeechModelTools, type InstalledModels } from '../features/speech-models/index.ts'
import { localRecognizer } from '../features/stt/index.ts'
import { systemClock } from '../time/index.ts'
import { checkProvider } from './check-speech.ts'
import { note } from './finding.ts'

/** Loads each installed recognizer in a process of its own, and lets it recognize silence. */
export async function checkLocalRecognizer(config: Config): Promise<Finding[]> {
  if (!config.stt.providers.some(({ name }) => name === 'local')) return []
  const { databaseUrl, dir, s3, diskReserveBytes } = config.data
  const db = await openDatabase({ databaseUrl, dataDir: dir }).catch(() => undefined)
  // The check of the database reports it.
  if (db === undefined) return []
  const log = pino({ level: 'silent' })
  const blobs = await openBlobStore({ dataDir: dir, s3, space: new DiskSpace(dir, diskReserveBytes), log })
  const { store, folders, downloader } = createSpeechModelTools({
    db,
    blobs,
    config,
    clock: systemClock,
    log,
  })
  try {
    const recognizers = (await store.listInstalled()).filter(
      ({ model: { kind } }) => kind === 'recognizer' || kind === 'streaming-recognizer',
    )
    if (recognizers.length === 0)
      return [note('speech to text', 'local has no model; the other providers and phones recognize speech')]
    const findings: Finding[] = []
    // One after the other, so that the memory of one is needed at a time.
    for (const installed of recognizers) {
      const models: InstalledModels = {
        list: () => [installed.model],
        onChange: () => () => {},
        folderOf: () => folders.ensure(installed),
      }
      const pool = new RecognizerPool({ models, clock: systemClock, log })
      const { id, languages } = installed.model
      const provider = { ...localRecognizer(pool), name: `local (${id})` }
      findings.push(await checkProvider(provider, languages[0]))
      pool.close()
    }
    return findings
  } finally {
    await downloader.close()
    await blobs.close()
    await db.destroy()
  }
}

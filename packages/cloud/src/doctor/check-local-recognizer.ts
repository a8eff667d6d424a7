import type { Finding } from '@glasses-cloud/contract'
import { pino } from 'pino'
import type { Config } from '../config/index.ts'
import { RecognizerPool } from '../features/local-speech/index.ts'
import type { InstalledModels } from '../features/speech-models/index.ts'
import { localRecognizer } from '../features/stt/index.ts'
import { systemClock } from '../time/index.ts'
import { checkProvider } from './check-speech.ts'
import { note } from './finding.ts'
import { withInstalledModels } from './installed-models.ts'

/** Loads each installed recognizer in a process of its own, and lets it recognize silence. */
export async function checkLocalRecognizer(config: Config): Promise<Finding[]> {
  if (!config.stt.providers.some(({ name }) => name === 'local')) return []
  return withInstalledModels(config, async (installed) => {
    const recognizers = installed
      .list()
      .filter(({ kind }) => kind === 'recognizer' || kind === 'streaming-recognizer')
    if (recognizers.length === 0)
      return [note('speech to text', 'local has no model; the other providers and phones recognize speech')]
    const findings: Finding[] = []
    // One after the other, so that the memory of one is needed at a time.
    for (const model of recognizers) {
      const models: InstalledModels = { ...installed, list: () => [model] }
      const pool = new RecognizerPool({ models, clock: systemClock, log: pino({ level: 'silent' }) })
      const provider = { ...localRecognizer(pool), name: `local (${model.id})` }
      findings.push(await checkProvider(provider, model.languages[0]))
      pool.close()
    }
    return findings
  })
}

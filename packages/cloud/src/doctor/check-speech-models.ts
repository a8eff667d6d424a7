import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { recognizedLanguages, SpeechModelStore } from '../features/speech-models/index.ts'
import { failure, note, ok } from './finding.ts'

const PART = 'speech models'

/** Languages that are listed; models for about 100 would fill the page. */
const MAX_LANGUAGES = 30

/** Lists the installed speech models and the languages that they recognize, and installations that failed. */
export async function checkSpeechModels({ data }: Config): Promise<Finding[]> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir }).catch(() => undefined)
  // The check of the database reports it.
  if (db === undefined) return []
  try {
    const store = new SpeechModelStore(db)
    const installed = (await store.listInstalled()).map(({ model }) => model)
    const installations = await store.listInstallations(Date.now())
    const languages = recognizedLanguages(installed)
    const ids = installed.map(({ id }) => id).join(', ')
    return [
      installed.length === 0
        ? note(
            PART,
            'none is installed; install one in the console under Administration, or with "models add"',
          )
        : ok(PART, `${ids}; ${describe(languages)}`),
      ...installations.map(({ id, isFailed, failure: reason }) =>
        isFailed ? failure(PART, `${id}: ${reason}`) : note(PART, `${id} is being installed`),
      ),
    ]
  } finally {
    await db.destroy()
  }
}

function describe(languages: readonly string[]): string {
  if (languages.length === 0) return 'none of them recognizes speech'
  if (languages.length > MAX_LANGUAGES) return `they recognize ${languages.length} languages`
  return `they recognize ${languages.join(', ')}`
}

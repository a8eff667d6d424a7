import type { ExportSection } from '../../personal-data.ts'
import type { StorageStore, StoredFact } from './storage-store.ts'

/** Texts read at a time; each may have 100,000 characters. */
const SOME = 50

/** What apps store for a user in a data export: `<packageName>/<key>` (decision A3). */
export function storageExport(store: StorageStore): ExportSection {
  return {
    name: 'simpleStorage',
    tables: ['storage_documents', 'storage_values'],
    async *facts({ id }) {
      let after: StoredFact | undefined
      do {
        const page = await store.page(id, after, SOME)
        for (const { packageName, key, value, updatedAt } of page)
          yield { key: `${packageName}/${key}`, value, updatedAt }
        after = page.length < SOME ? undefined : page.at(-1)
      } while (after !== undefined)
    },
  }
}

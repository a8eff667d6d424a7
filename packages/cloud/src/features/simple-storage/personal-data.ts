import type { ExportSection } from '../../personal-data.ts'
import type { StorageStore, StoredText } from './storage-store.ts'

/** Texts read at a time; each may have 100,000 characters. */
const PAGE_SIZE = 50

/** Exports the texts that apps store for the user, keyed `<packageName>/<key>`. */
export function storageExport(store: StorageStore): ExportSection {
  return {
    name: 'simpleStorage',
    tables: ['storage_documents', 'storage_values'],
    async *facts({ id }) {
      let after: StoredText | undefined
      do {
        const page = await store.listByUser(id, after, PAGE_SIZE)
        for (const { packageName, key, value, updatedAt } of page)
          yield { key: `${packageName}/${key}`, value, updatedAt }
        after = page.length < PAGE_SIZE ? undefined : page.at(-1)
      } while (after !== undefined)
    },
  }
}

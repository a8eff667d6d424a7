import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { UserStore } from '../../identity/index.ts'
import type { ExportSection } from '../../personal-data.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Catalogue, InstallStore } from '../catalogue/index.ts'
import { storageEndpoints } from './endpoints.ts'
import { SimpleStorage } from './simple-storage.ts'
import { StorageStore, type StoredText } from './storage-store.ts'

export { StorageStore } from './storage-store.ts'

export interface SimpleStorageFeatureDeps {
  readonly db: Database
  readonly users: UserStore
  readonly installs: InstallStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  /** Epoch ms. */
  readonly now: () => number
}

/** Texts that apps store for their users, under `/api/sdk/simple-storage`. */
export function createSimpleStorage({ db, ...deps }: SimpleStorageFeatureDeps): Feature {
  const store = new StorageStore(db)
  const storage = new SimpleStorage({ store, ...deps })
  return {
    name: 'simple-storage',
    endpoints: storageEndpoints({ storage }),
    exportSections: [storageExport(store)],
  }
}

/** Texts read at a time; each may have 100,000 characters. */
const PAGE_SIZE = 50

/** Exports the texts that apps store for the user, keyed `<packageName>/<key>`. */
function storageExport(store: StorageStore): ExportSection {
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

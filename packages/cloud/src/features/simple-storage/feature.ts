import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Catalogue, InstallStore } from '../catalogue/index.ts'
import { deleteStorage, getStorage, putStorage } from './document-endpoints.ts'
import { storageExport } from './personal-data.ts'
import { SimpleStorage } from './simple-storage.ts'
import { StorageStore } from './storage-store.ts'
import { deleteText, getText, putText } from './text-endpoints.ts'

/** Collaborators of the simple storage. */
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
  const endpointDeps = { storage }
  return {
    name: 'simple-storage',
    endpoints: [
      getStorage(endpointDeps),
      putStorage(endpointDeps),
      deleteStorage(endpointDeps),
      getText(endpointDeps),
      putText(endpointDeps),
      deleteText(endpointDeps),
    ],
    exportSections: [storageExport(store)],
  }
}

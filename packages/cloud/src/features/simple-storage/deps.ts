import type { SimpleStorage } from './simple-storage.ts'

/** Collaborators of the endpoints of this feature. */
export interface SimpleStorageEndpointDeps {
  readonly storage: SimpleStorage
}

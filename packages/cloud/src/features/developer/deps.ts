import type { BlobStore } from '../../blobs/index.ts'
import type { ChangeFeed } from '../../db/index.ts'
import type { ApiKeyStore, OrganizationStore, User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { AppStore, Catalogue } from '../catalogue/index.ts'
import type { AppImageFiles } from './app-image-files.ts'
import type { Pings } from './ping/index.ts'
import type { Publishing } from './publishing.ts'
import type { ReviewStore } from './review-store.ts'

/** Collaborators of the endpoints of this feature. */
export interface DeveloperEndpointDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly organizations: OrganizationStore
  readonly apiKeyStore: ApiKeyStore
  readonly changes: ChangeFeed
  readonly sessions: SessionDirectory
  readonly blobs: BlobStore
  readonly images: AppImageFiles
  readonly publishing: Publishing
  readonly reviews: ReviewStore
  readonly pings: Pings
  /** Package names that only administrators may register. */
  readonly reservedPackages: ReadonlySet<string>
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** A user who may administrate apps. */
export type Developer = Pick<User, 'id' | 'email' | 'isAdministrator'>

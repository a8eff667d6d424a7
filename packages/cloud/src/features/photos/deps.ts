import type { UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Gallery } from '../gallery/index.ts'
import type { PhotoLinks } from './photo-links.ts'
import type { PhotoRelay } from './photo-relay.ts'

/** Collaborators of the endpoints of this feature. */
export interface PhotoEndpointDeps {
  readonly gallery: Gallery
  readonly relay: PhotoRelay
  readonly links: PhotoLinks
  readonly users: UserStore
  readonly sessions: SessionDirectory
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

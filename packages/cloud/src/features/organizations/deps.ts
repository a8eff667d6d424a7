import type { OrganizationStore } from '../../identity/index.ts'
import type { Invitations } from './invitations.ts'

/** Collaborators of the endpoints of this feature. */
export interface OrganizationEndpointDeps {
  readonly organizations: OrganizationStore
  readonly invitations: Invitations
  /** Epoch ms. */
  readonly now: () => number
}

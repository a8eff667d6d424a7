import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { GuessLimiter, GuessStore, InvitationStore, type OrganizationStore } from '../../identity/index.ts'
import type { Mailer } from '../../mail/index.ts'
import { deleteInvitations, Invitations, invitationsExport } from './invitations.ts'
import { memberEndpoints } from './member-endpoints.ts'
import { organizationEndpoints } from './organization-endpoints.ts'

/** Pending invitations of an organization. */
const MAX_PENDING_INVITATIONS = 100

export interface OrganizationsDeps {
  readonly db: Database
  readonly secret: string
  readonly organizations: OrganizationStore
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
  readonly mailer: Mailer
}

/** Organizations with members and invitations, under `/api/console/orgs`. */
export function createOrganizations(deps: OrganizationsDeps): Feature {
  const { db, secret, organizations, publicUrl, mailer, now } = deps
  const store = new InvitationStore(db, MAX_PENDING_INVITATIONS)
  const invitations = new Invitations({
    store,
    organizations,
    mailer,
    mails: new GuessLimiter(new GuessStore(db), secret, now),
    publicUrl,
    now,
  })
  const endpointDeps = { organizations, invitations, now }
  return {
    name: 'organizations',
    endpoints: [...organizationEndpoints(endpointDeps), ...memberEndpoints(endpointDeps)],
    exportSections: [invitationsExport(store)],
    deletionSteps: [deleteInvitations(store)],
  }
}

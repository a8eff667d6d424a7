import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { InvitationStore, type OrganizationStore } from '../../identity/index.ts'
import type { Mailer } from '../../mail/index.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { changeRole } from './change-role.ts'
import { createOrganization } from './create-organization.ts'
import { deleteOrganization } from './delete-organization.ts'
import { getOrganization } from './get-organization.ts'
import { Invitations } from './invitations.ts'
import { inviteMember } from './invite-member.ts'
import { listOrganizations } from './list-organizations.ts'
import { deleteInvitations, invitationsExport } from './personal-data.ts'
import { removeMember } from './remove-member.ts'
import { rescindInvitation } from './rescind-invitation.ts'
import { resendInvitation } from './resend-invitation.ts'
import { updateOrganization } from './update-organization.ts'

/** Pending invitations of an organization. */
const MAX_PENDING_INVITATIONS = 100

/** Collaborators of the organizations. */
export interface OrganizationsDeps {
  readonly db: Database
  readonly organizations: OrganizationStore
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
  readonly mailer: Mailer
}

/** Organizations with members and invitations, under `/api/console/orgs`. */
export function createOrganizations(deps: OrganizationsDeps): Feature {
  const { db, organizations, publicUrl, mailer, now } = deps
  const store = new InvitationStore(db, MAX_PENDING_INVITATIONS)
  const invitations = new Invitations({ store, mailer, publicUrl, now })
  const endpointDeps = { organizations, invitations, now }
  return {
    name: 'organizations',
    endpoints: [
      listOrganizations(endpointDeps),
      createOrganization(endpointDeps),
      acceptInvitation(endpointDeps),
      getOrganization(endpointDeps),
      updateOrganization(endpointDeps),
      deleteOrganization(endpointDeps),
      inviteMember(endpointDeps),
      resendInvitation(endpointDeps),
      rescindInvitation(endpointDeps),
      changeRole(endpointDeps),
      removeMember(endpointDeps),
    ],
    exportSections: [invitationsExport(store)],
    deletionSteps: [deleteInvitations(store)],
  }
}

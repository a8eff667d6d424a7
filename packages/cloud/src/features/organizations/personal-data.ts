import type { InvitationStore } from '../../identity/index.ts'
import type { DeletionStep, ExportSection } from '../../personal-data.ts'

/** Exports the pending invitations of the user's address, without their tokens. */
export function invitationsExport(invitations: InvitationStore): ExportSection {
  return {
    name: 'invitations',
    tables: ['organization_invitations'],
    async *facts({ email }) {
      for (const { id: key, organizationName, role, createdAt, expiresAt } of await invitations.listByEmail(
        email,
      )) {
        const value = { organization: organizationName, role, expiresAt: new Date(expiresAt).toISOString() }
        yield { key, value, updatedAt: createdAt }
      }
    },
  }
}

/** Deletes the pending invitations of the user's address. */
export function deleteInvitations(invitations: InvitationStore): DeletionStep {
  return {
    name: 'invitations',
    phase: 'content',
    tables: ['organization_invitations'],
    run: ({ email }) => invitations.removeByEmail(email),
  }
}

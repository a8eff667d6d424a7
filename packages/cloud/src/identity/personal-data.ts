import type { ExportSection } from '../personal-data.ts'
import type { OrganizationStore } from './organization-store.ts'

/** Exports the user's memberships in organizations. */
export function organizationsExport(organizations: OrganizationStore): ExportSection {
  return {
    name: 'organizations',
    tables: ['organization_members'],
    async *facts({ id: userId }) {
      for (const { organization, role, joinedAt } of await organizations.organizationsOf(userId)) {
        const value = { name: organization.name, role, joinedAt: new Date(joinedAt).toISOString() }
        yield { key: organization.slug, value, updatedAt: joinedAt }
      }
    },
  }
}

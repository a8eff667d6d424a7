import type { ExportSection } from '../personal-data.ts'
import { lastUseView } from './last-use-store.ts'
import type { OrganizationStore } from './organization-store.ts'
import type { PersonalTokens } from './personal-tokens.ts'

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

/** Exports the user's personal access tokens, without anything that could be used to authenticate. */
export function personalTokensExport(tokens: Pick<PersonalTokens, 'list'>): ExportSection {
  return {
    name: 'personalTokens',
    tables: ['personal_tokens'],
    async *facts({ id: userId }) {
      for (const { id, name, scopes, createdAt, expiresAt, lastUse } of await tokens.list(userId)) {
        const value = {
          name,
          scopes,
          createdAt: new Date(createdAt).toISOString(),
          expiresAt: new Date(expiresAt).toISOString(),
          ...lastUseView(lastUse),
        }
        yield { key: id, value, updatedAt: createdAt }
      }
    },
  }
}

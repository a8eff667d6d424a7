import type { Logger } from 'pino'
import { type ApiKeyStore, lastUseView } from '../../identity/index.ts'
import { type DeletionStep, type ExportSection, inPages } from '../../personal-data.ts'
import type { AcceptanceStore } from './acceptance-store.ts'
import type { AppActivityStore } from './app-activity-store.ts'
import type { AppStore } from './app-store.ts'
import type { InstallStore } from './install-store.ts'
import type { OwnershipStore } from './ownership-store.ts'

/** Exports the apps a user installed. */
export function installedAppsExport(installs: InstallStore): ExportSection {
  return {
    name: 'installedApps',
    tables: ['installs'],
    async *facts({ id: userId }) {
      const rows = inPages(
        (after, limit) => installs.listNamed(userId, { after, limit }),
        ({ packageName }) => packageName,
      )
      for await (const { packageName, name, installedAt } of rows)
        yield { key: packageName, value: { name, installedAt: iso(installedAt) }, updatedAt: installedAt }
    },
  }
}

/** Exports which permissions of which apps a user accepted. */
export function acceptedPermissionsExport(acceptances: AcceptanceStore): ExportSection {
  return {
    name: 'acceptedPermissions',
    tables: ['permission_acceptances'],
    async *facts({ id: userId }) {
      const rows = inPages(
        (after, limit) => acceptances.listNamed(userId, { after, limit }),
        ({ packageName }) => packageName,
      )
      for await (const { packageName, permissions, updatedAt } of rows) {
        const accepted = permissions.map(({ type, acceptedAt }) => ({ type, acceptedAt: iso(acceptedAt) }))
        yield { key: packageName, value: { permissions: accepted }, updatedAt }
      }
    },
  }
}

/** Exports when the user last used each app, installed or not. */
export function appActivityExport(activity: AppActivityStore): ExportSection {
  return {
    name: 'appActivity',
    tables: ['app_activity'],
    async *facts({ id: userId }) {
      const rows = inPages(
        (after, limit) => activity.listNamed(userId, { after, limit }),
        ({ packageName }) => packageName,
      )
      for await (const { packageName, name, lastActiveAt } of rows)
        yield { key: packageName, value: { name, lastActiveAt: iso(lastActiveAt) }, updatedAt: lastActiveAt }
    },
  }
}

/** Exports the apps a user developed, with the ids of their API keys; the keys themselves are not stored. */
export function ownAppsExport(apps: AppStore, apiKeys: ApiKeyStore): ExportSection {
  return {
    name: 'ownApps',
    tables: ['apps'],
    async *facts(user) {
      const rows = inPages(
        (after, limit) => apps.listMadeBy(user, { after, limit }),
        ({ packageName }) => packageName,
      )
      for await (const app of rows) {
        const keys = await apiKeys.list(app.id)
        yield {
          key: app.packageName,
          value: {
            name: app.name,
            description: app.description,
            publicUrl: app.publicUrl,
            webviewURL: app.webviewUrl,
            logoURL: app.logoUrl,
            appStoreStatus: app.appStoreStatus,
            apiKeys: keys.toReversed().map(({ keyId, createdAt, lastUse }) => ({
              keyId,
              createdAt: iso(createdAt),
              ...lastUseView(lastUse),
            })),
            createdAt: iso(app.createdAt),
          },
          updatedAt: app.updatedAt,
        }
      }
    },
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Ends the user's ownership of apps and organizations; the log names the apps that are left without an owner. */
export function giveUpOwnership(store: OwnershipStore, now: () => number, log: Logger): DeletionStep {
  return {
    name: 'ownership',
    phase: 'ownership',
    tables: ['apps', 'organizations'],
    async run(user) {
      for (const packageName of await store.giveUp(user, now()))
        log.warn({ packageName }, 'catalogue: app lost its only owner and was unpublished')
    },
  }
}

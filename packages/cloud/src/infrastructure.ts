import { join } from 'node:path'
import type { Logger } from 'pino'
import { openFolderBlobStore } from './blobs/index.ts'
import { type Config, loadAuthSecret } from './config/index.ts'
import { openWatchedDatabase } from './db/index.ts'
import { createLog } from './http/log.ts'
import { Metrics } from './http/metrics.ts'
import { Readiness } from './http/readiness.ts'
import {
  ApiKeyStore,
  ApiKeys,
  AuthenticationCache,
  Authenticator,
  OrganizationStore,
  Tokens,
  UserStore,
} from './identity/index.ts'
import { type Clock, systemClock } from './session/index.ts'
import { AppAddresses, RunningAppStore, UserSessionStore } from './session-host/index.ts'
import { createGuardedAgent, WebhookClient } from './webhooks/index.ts'

/** Replaces parts of the infrastructure in tests. */
export interface InfrastructureOverrides {
  readonly clock?: Clock
  readonly log?: Logger
}

/** What every feature builds on: configuration, storage, identity, webhooks. */
export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>

/**
 * Opens the database and the blob store and creates the stores and services on top of them.
 * @throws Error with a message for the operator: database unreachable, data folder unusable
 */
export async function openInfrastructure(config: Config, overrides: InfrastructureOverrides) {
  const log = overrides.log ?? createLog(config.log.level)
  const clock = overrides.clock ?? systemClock
  const now = () => clock.now()
  const secret = await loadAuthSecret(config.auth.secret, config.data.dir)
  const { db, changes } = await openWatchedDatabase({
    databaseUrl: config.data.databaseUrl,
    dataDir: config.data.dir,
    pool: config.data.pool,
    log,
  })
  /** Closes the database. */
  const closeDatabase = async () => {
    await changes.close()
    await db.destroy()
  }
  const blobs = await openFolderBlobStore(join(config.data.dir, 'blobs')).catch(async (error: unknown) => {
    await closeDatabase()
    throw error
  })
  const users = new UserStore(db)
  const tokens = new Tokens({ secret, acceptNonExpiring: config.auth.acceptNonExpiringTokens })
  const apiKeyStore = new ApiKeyStore(db)
  const stopping = new AbortController()
  /** Where the server listens; set once it does. */
  const address = { url: '' }
  return {
    config,
    secret,
    log,
    clock,
    /** Epoch ms. */
    now,
    db,
    changes,
    closeDatabase,
    blobs,
    address,
    /** Base URL of the cloud for clients. */
    publicUrl: () => config.http.publicUrl ?? new URL(address.url),
    metrics: new Metrics(),
    readiness: new Readiness(),
    users,
    organizations: new OrganizationStore(db),
    tokens,
    authenticator: new Authenticator({
      tokens,
      users,
      secret,
      now,
      cache: new AuthenticationCache(changes),
    }),
    apiKeyStore,
    apiKeys: new ApiKeys(apiKeyStore),
    webhooks: new WebhookClient(() => createGuardedAgent(config.apps.allowPrivateNetworks), now),
    running: new RunningAppStore(db),
    userSessions: new UserSessionStore(db),
    appAddresses: new AppAddresses(),
    stopping,
    /** Aborts calls of app servers when the cloud shuts down. */
    signal: stopping.signal,
  }
}

import type { Logger } from 'pino'
import { DiskSpace, meteredBlobStore, openBlobStore } from './blobs/index.ts'
import { aboutCloud, type Config, loadAuthSecret } from './config/index.ts'
import { DatabaseClock, databaseMetrics, openWatchedDatabase } from './db/index.ts'
import { createLog } from './http/log.ts'
import { Metrics } from './http/metrics.ts'
import { Readiness } from './http/readiness.ts'
import {
  AccessWatch,
  ApiKeyStore,
  ApiKeys,
  AppTokens,
  AuthenticationCache,
  Authenticator,
  CredentialUses,
  LastUseStore,
  LateAccountClaims,
  LoginStore,
  LoginTokens,
  OrganizationStore,
  PersonalTokenStore,
  PersonalTokens,
  secretId,
  Tokens,
  UserStore,
} from './identity/index.ts'
import { NODE_SECRET_PURPOSE, openBus, openCluster } from './nodes/index.ts'
import { RunningAppStore, UserSessionStore } from './session-host/index.ts'
import { addStateMetrics } from './state-metrics.ts'
import { type Clock, systemClock } from './time/index.ts'
import { openTls } from './tls/index.ts'
import { NO_TRACING, openTracing, type Tracing, traceIdOf } from './tracing/index.ts'
import { createGuardedAgent, WebhookClient, webhookMetrics } from './webhooks/index.ts'

/** Replaces parts of the infrastructure in tests. */
export interface InfrastructureOverrides {
  readonly clock?: Clock
  /** The clock of this machine, from which nodes of a cluster take no wall time. */
  readonly machineClock?: Clock
  readonly log?: Logger
}

/** What every feature builds on: configuration, storage, identity, webhooks. */
export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>

/**
 * Opens the database and the blob store and creates the stores and services on top of them.
 * @throws Error with a message for the operator: database unreachable, data folder unusable
 */
export async function openInfrastructure(config: Config, overrides: InfrastructureOverrides) {
  const fields = traceFields(config, () => tracing)
  const log = overrides.log ?? createLog(config.log.level, undefined, fields)
  let tracing: Tracing = NO_TRACING
  const secret = await loadAuthSecret(config.auth.secret, config.data.dir)
  const { previousSecret, acceptNonExpiringTokens: acceptNonExpiring } = config.auth
  const secrets: readonly [string, ...string[]] =
    previousSecret === undefined ? [secret] : [secret, previousSecret]
  const metrics = new Metrics(config.data.redis ? config.node.name : undefined)
  const { db, changes, problem } = await openWatchedDatabase({
    databaseUrl: config.data.databaseUrl,
    directUrl: config.data.directUrl,
    dataDir: config.data.dir,
    pool: config.data.pool,
    log,
    observer: databaseMetrics(metrics),
  })
  if (problem !== undefined && config.data.redis) {
    await changes.close()
    await db.destroy()
    throw new Error(`${problem}.`)
  }
  if (problem !== undefined) log.warn(problem)
  // Several nodes agree on the time by the clock of the database they share.
  const databaseClock =
    config.data.redis && !overrides.clock
      ? await DatabaseClock.open(overrides.machineClock ?? systemClock, db, log).catch(
          async (error: unknown) => {
            await changes.close()
            await db.destroy()
            throw error
          },
        )
      : undefined
  const clock = overrides.clock ?? databaseClock ?? systemClock
  const now = () => clock.now()
  /** Closes the database. */
  const closeDatabase = async () => {
    databaseClock?.close()
    await changes.close()
    await db.destroy()
  }
  const { dir: dataDir, s3, diskReserveBytes } = config.data
  const space = new DiskSpace(dataDir, diskReserveBytes)
  metrics.gauge(
    'disk_available_bytes',
    'Free bytes of the disk of DATA_DIR beyond DISK_RESERVE_MB; negative: uploads are refused',
    () => {
      void space.available()
      return space.last
    },
  )
  const apiKeyStore = new ApiKeyStore(db, secrets, (keyId) =>
    log.error(
      { keyId },
      'the sealed signing key of an API key cannot be read; use the API key over REST, or create a new one',
    ),
  )
  const openStores = async () => {
    await apiKeyStore.sealAll()
    const tls = await openTls({ config, db, secrets, clock, log, metrics })
    const store = await openBlobStore({ dataDir, s3, space, log })
    return { tls, blobs: meteredBlobStore(store, metrics) }
  }
  const { tls, blobs } = await openStores().catch(async (error: unknown) => {
    await closeDatabase()
    throw error
  })
  tracing = await openTracing({
    config: config.tracing,
    version: aboutCloud(config).version,
    node: config.node.name,
    log,
  })
  const bus = await openBus({ redis: config.data.redis, secrets, db, clock, log, tracing })
  const { redis, databaseUrl, directUrl } = config.data
  const { version } = aboutCloud(config)
  const readiness = new Readiness()
  const cluster =
    redis && databaseUrl !== undefined
      ? await openCluster({
          redis,
          databaseUrl: directUrl ?? databaseUrl,
          db,
          bus,
          clock,
          log,
          name: config.node.name,
          version,
          secretId: secretId(secret, NODE_SECRET_PURPOSE),
        })
      : undefined
  addStateMetrics({ config, metrics, readiness, bus, cluster })
  const users = new UserStore(db)
  const tokens = new Tokens({
    secret,
    previousSecret,
    acceptNonExpiring,
    now: () => (databaseClock ?? systemClock).now(),
  })
  const logins = new LoginStore(db)
  const personalTokenStore = new PersonalTokenStore(db)
  const claims = new LateAccountClaims()
  const stopping = new AbortController()
  /** Where the server listens, for this machine and by default for clients; set once it does. */
  const address = { url: '', publicUrl: '' }
  return {
    config,
    /** `AUTH_SECRET`, which signs and encrypts. */
    secret,
    /** `AUTH_SECRET` and, while it is changed, the other one: both are accepted. */
    secrets,
    log,
    clock,
    /** Epoch ms. */
    now,
    db,
    changes,
    closeDatabase,
    blobs,
    /** Undefined with `TLS=off`. */
    tls,
    bus,
    /** Undefined if this is the only node. */
    cluster,
    address,
    /** Base URL of the cloud for clients. */
    publicUrl: () => config.http.publicUrl ?? new URL(address.publicUrl),
    metrics,
    tracing,
    readiness,
    users,
    organizations: new OrganizationStore(db),
    logins,
    claims,
    tokens,
    authenticator: new Authenticator({
      tokens,
      users,
      secrets,
      logins,
      claims,
      now,
      cache: new AuthenticationCache(changes),
    }),
    access: new AccessWatch({ changes, clock, users, logins, personalTokens: personalTokenStore, log }),
    credentialUses: new CredentialUses({ store: new LastUseStore(db), now, log }),
    personalTokenStore,
    personalTokens: new PersonalTokens({ store: personalTokenStore, users, now }),
    loginTokens: new LoginTokens({ logins, users, tokens, secrets, now }),
    appTokens: new AppTokens(secrets, now),
    apiKeyStore,
    apiKeys: new ApiKeys(apiKeyStore),
    webhooks: new WebhookClient(
      () => createGuardedAgent(config.apps.allowPrivateNetworks),
      now,
      webhookMetrics(metrics),
      tracing,
    ),
    running: new RunningAppStore(db),
    userSessions: new UserSessionStore(db),
    stopping,
    /** Aborts calls of app servers when the cloud shuts down. */
    signal: stopping.signal,
  }
}

/** Adds the trace to each line of the log, if traces are recorded. */
function traceFields({ tracing: config }: Config, tracing: () => Tracing) {
  if (config === undefined) return undefined
  return () => {
    const context = tracing().current()
    return context === undefined ? {} : { trace_id: traceIdOf(context) }
  }
}

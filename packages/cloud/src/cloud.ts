import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openFolderBlobStore } from './blobs/index.ts'
import { type Config, loadAuthSecret } from './config/index.ts'
import {
  type Database,
  openWatchedDatabase,
  pingDatabase,
  removeOldChanges,
  type WatchedDatabase,
} from './db/index.ts'
import {
  accountEndpoints,
  DeletionStore,
  Deletions,
  ExportStore,
  Exports,
  endSession,
  giveUpOwnership,
  OwnershipStore,
  ownSections,
  PrivacyStore,
  removeExports,
} from './features/account/index.ts'
import { AppMessageHub, appMessageEndpoints } from './features/app-messages/index.ts'
import {
  AppStore,
  aboutCloud,
  Catalogue,
  catalogueEndpoints,
  InstallStore,
  recordServerHealth,
  webhookTarget,
} from './features/catalogue/index.ts'
import { createGallery } from './features/gallery/index.ts'
import { hardwareEndpoints } from './features/hardware/index.ts'
import {
  IncidentStore,
  Incidents,
  incidentEndpoints,
  incidentExport,
  mountAttachments,
  removeIncidents,
} from './features/incidents/index.ts'
import { oauthEndpoints, SigningKeyStore, WebTokens } from './features/oauth/index.ts'
import { AppPermissions, permissionsEndpoints } from './features/permissions/index.ts'
import { OnboardingStore, PhoneReportStore, phoneEndpoints, phoneExport } from './features/phone/index.ts'
import { mountUploads, PhotoRelay, photoResponse } from './features/photos/index.ts'
import { audioEndpoints } from './features/recent-audio/index.ts'
import { sdkEndpoints } from './features/sdk/index.ts'
import { AppSettings, SettingsStore, settingsEndpoints, UserSettings } from './features/settings/index.ts'
import {
  SimpleStorage,
  StorageStore,
  storageEndpoints,
  storageExport,
} from './features/simple-storage/index.ts'
import {
  createStreamingProvider,
  LiveStreams,
  type StreamingProvider,
  streamEndpoints,
} from './features/streams/index.ts'
import { Tools, toolEndpoints } from './features/tools/index.ts'
import { transcriptEndpoints } from './features/transcripts/index.ts'
import { openSpeaker, speechEndpoints } from './features/tts/index.ts'
import { WebviewTokenStore, WebviewTokens, webviewEndpoints } from './features/webview/index.ts'
import type { AuthDeps } from './http/auth/index.ts'
import { limitRequests } from './http/limits.ts'
import { addressOf, drain, listen } from './http/listening.ts'
import { createLog } from './http/log.ts'
import { Metrics } from './http/metrics.ts'
import { mount } from './http/mount.ts'
import { descriptions } from './http/openapi/index.ts'
import { probes } from './http/probes/index.ts'
import { Readiness } from './http/readiness.ts'
import { createServer } from './http/server.ts'
import type { Services } from './http/services.ts'
import { openSharedCounts } from './http/shared-counts.ts'
import {
  ApiKeyStore,
  ApiKeys,
  AuthenticationCache,
  Authenticator,
  identityEndpoints,
  identityProviders,
  OrganizationStore,
  Tokens,
  UserStore,
} from './identity/index.ts'
import { PeriodicTask } from './jobs/index.ts'
import { inDeletionOrder } from './personal-data.ts'
import { type Clock, DEFAULT_TIMING, type SessionTiming, systemClock } from './session/index.ts'
import { KeyedQueue, RunningAppStore, Sessions, UserSessionStore } from './session-host/index.ts'
import {
  AppAdmission,
  attachSockets,
  defaultLimits,
  getAsyncApi,
  type SocketLimits,
  SocketMetrics,
} from './sockets/index.ts'
import { createGuardedAgent, WebhookClient } from './webhooks/index.ts'

/** Interval between removals of old entries from the change log. */
const CHANGE_LOG_SWEEP_MS = 10 * 60_000

/** A running cloud. */
export interface Cloud {
  /** Where it listens, without a slash at the end; `config.http.publicUrl` may be another address. */
  readonly url: string
  readonly port: number
  readonly services: Services
  /** Collaborators of the authentication schemes. */
  readonly authDeps: AuthDeps
  readonly server: FastifyInstance
  /** Its rows; whoever works with them in this process must do so over this connection. */
  readonly db: Database
  readonly log: Logger
  /** Stops taking requests, ends what is live, closes the database. Safe to call again: it is one promise. */
  close(): Promise<void>
}

/** What a test may put in the place of the real thing. */
export interface CloudOverrides {
  readonly clock?: Clock
  readonly log?: Logger
  readonly timing?: Partial<SessionTiming>
  readonly streaming?: StreamingProvider
  readonly limits?: Partial<SocketLimits>
}

/**
 * Builds a cloud from its settings and starts it. It answers on its port when the promise resolves.
 * @throws Error with a sentence for the operator: database unreachable, port taken, data folder unusable
 */
export async function createCloud(config: Config, overrides: CloudOverrides = {}): Promise<Cloud> {
  const log = overrides.log ?? createLog(config.log.level)
  const secret = await loadAuthSecret(config.auth.secret, config.data.dir)
  const database = await openWatchedDatabase({
    databaseUrl: config.data.databaseUrl,
    dataDir: config.data.dir,
    log,
  })
  try {
    return await start(config, overrides, log, secret, database)
  } catch (error) {
    await database.changes.close()
    await database.db.destroy()
    throw error
  }
}

async function start(
  config: Config,
  overrides: CloudOverrides,
  log: Logger,
  secret: string,
  { db, changes }: WatchedDatabase,
): Promise<Cloud> {
  const clock = overrides.clock ?? systemClock
  let url = ''
  const now = () => clock.now()
  const readiness = new Readiness()
  readiness.add({ name: 'database', run: async () => void (await pingDatabase(db)) })
  const metrics = new Metrics()

  const users = new UserStore(db)
  const tokens = new Tokens({ secret, acceptNonExpiring: config.auth.acceptNonExpiringTokens })
  const authenticator = new Authenticator({
    tokens,
    users,
    secret,
    now,
    cache: new AuthenticationCache(changes),
  })
  const changeLogSweep = new PeriodicTask({
    clock,
    everyMs: CHANGE_LOG_SWEEP_MS,
    run: () => removeOldChanges(db, now()),
    failed: (err) => log.error({ err }, 'old entries of the change log could not be removed'),
  })
  const apps = new AppStore(db)
  const apiKeyStore = new ApiKeyStore(db)
  const apiKeys = new ApiKeys(apiKeyStore)
  const installs = new InstallStore(db)
  const webhooks = new WebhookClient(() => createGuardedAgent(config.apps.allowPrivateNetworks), now)
  const catalogue = new Catalogue({
    apps,
    installs,
    organizations: new OrganizationStore(db),
    systemPackages: config.apps.system,
    apiKeys: apiKeyStore,
    webhooks,
    now,
  })

  const stopping = new AbortController()
  const userSessions = new UserSessionStore(db)
  const running = new RunningAppStore(db)
  const publicUrl = () => config.http.publicUrl ?? new URL(url)
  const events = metrics.counter('session_events_total', 'What happens in sessions', ['event'])
  const blobs = await openFolderBlobStore(join(config.data.dir, 'blobs'))
  const galleryFeature = createGallery({ db, blobs, clock, log, config, publicUrl })
  const { gallery } = galleryFeature
  const photos = new PhotoRelay({ apps, apiKeys: apiKeyStore, gallery, webhooks, secret, publicUrl, log })
  const streams = new LiveStreams({
    provider: overrides.streaming ?? createStreamingProvider(config.streaming, clock),
    clock,
    log,
  })
  const settings = new SettingsStore(db)
  const appMessages = new AppMessageHub(now)
  const sessions = new Sessions({
    streams,
    appMessages,
    apps,
    appServers: {
      webhookTarget: (app) => webhookTarget(apiKeyStore, app),
      recordServerHealth: (app, response) => recordServerHealth(apps, app, response, now()),
    },
    appActivity: installs,
    systemPackages: config.apps.system,
    running,
    now,
    userSessions,
    settings,
    webhooks,
    photos,
    writes: new KeyedQueue(),
    log,
    appSocketUrl: () => socketUrl(publicUrl(), '/app-ws'),
    signal: stopping.signal,
    clock,
    timing: { ...DEFAULT_TIMING, appStartTimeoutMs: config.apps.startTimeoutMs, ...overrides.timing },
    systemPackage: config.apps.dashboard,
    count: (event) => events.inc({ event }),
  })
  metrics.gauge('user_sessions', 'Live user sessions', () => sessions.size)

  const settingsCalls = new KeyedQueue()
  const appSettings = new AppSettings({
    store: settings,
    apiKeys: apiKeyStore,
    catalogue,
    sessions,
    webhooks,
    calls: settingsCalls,
    log,
    signal: stopping.signal,
    now,
  })
  const storageStore = new StorageStore(db)
  const phoneReports = new PhoneReportStore(db)
  const onboardings = new OnboardingStore(db)
  const incidents = new Incidents({ store: new IncidentStore(db), blobs, log, now })

  const privacy = new PrivacyStore(db)
  const exportStore = new ExportStore(db)
  const exports = new Exports({
    store: exportStore,
    blobs,
    users,
    // Every feature that keeps something about users adds its section here, and its step below.
    sections: [
      ...ownSections({ db, users, privacy, exports: exportStore }),
      ...(galleryFeature.exportSections ?? []),
      storageExport(storageStore),
      ...phoneExport(phoneReports, onboardings),
      incidentExport(incidents, publicUrl),
    ],
    clock,
    log,
  })
  const deletions = new Deletions({
    store: new DeletionStore(db),
    users,
    steps: inDeletionOrder([
      endSession(sessions),
      removeExports(exports),
      ...(galleryFeature.deletionSteps ?? []),
      removeIncidents(incidents),
      giveUpOwnership(new OwnershipStore(db), now, log),
      endSession(sessions, 'late-sessions'),
    ]),
    secret,
    clock,
    log,
  })

  const spoken = metrics.counter('speech_total', 'Texts spoken, by where the sound came from', ['source'])
  const speech = await openSpeaker({ config, clock, log, count: (source) => spoken.inc({ source }) })

  const services: Services = {
    config,
    now,
    publicUrl,
    readiness,
    metrics,
    tokens,
    authenticator,
    apiKeys,
    signIn: identityProviders(config.auth),
    users,
    catalogue,
    about: aboutCloud(config),
    sessions,
    liveSessions: () => sessions.size,
    streams,
    appMessages,
    speaker: speech.speaker,
    blobs,
    permissions: new AppPermissions({ apps, catalogue, sessions, now }),
    gallery,
    photos,
    userSettings: new UserSettings({ store: settings, sessions, log, now }),
    appSettings,
    storage: new SimpleStorage({ store: storageStore, users, installs, catalogue, sessions, now }),
    privacy,
    exports,
    deletions,
    tools: new Tools({ catalogue, apiKeys: apiKeyStore, webhooks, clock, signal: stopping.signal }),
    webTokens: new WebTokens({
      keys: new SigningKeyStore(db),
      apiKeys: apiKeyStore,
      secret,
      issuer: () => config.auth.oauthIssuer ?? publicUrl().href.replace(/\/$/, ''),
      now,
    }),
    webviewTokens: new WebviewTokens({ store: new WebviewTokenStore(db), users, now }),
    phoneReports,
    onboardings,
    incidents,
  }

  const server = createServer({
    log,
    metrics,
    secure: config.http.publicUrl?.protocol === 'https:',
    trustProxy: config.http.trustProxy,
  })
  const { redisUrl } = config.data
  const sharedCounts = redisUrl === undefined ? undefined : await openSharedCounts(redisUrl, log)
  await limitRequests(server, { config, sharedCounts })
  const authDeps: AuthDeps = {
    authenticator,
    apiKeys,
    sessions,
    actingPackages: config.apps.apiKeyPackages,
    audioPackages: config.apps.audioPackages,
  }
  const endpoints = [
    ...probes,
    ...descriptions,
    getAsyncApi,
    ...identityEndpoints,
    ...catalogueEndpoints,
    ...accountEndpoints,
    ...audioEndpoints,
    ...toolEndpoints,
    ...transcriptEndpoints,
    ...streamEndpoints,
    ...appMessageEndpoints,
    ...speechEndpoints,
    ...oauthEndpoints,
    ...permissionsEndpoints,
    ...(galleryFeature.endpoints ?? []),
    ...settingsEndpoints,
    ...storageEndpoints,
    photoResponse,
    ...hardwareEndpoints,
    ...phoneEndpoints,
    ...incidentEndpoints,
    ...sdkEndpoints,
    ...webviewEndpoints,
  ]
  mount(server, endpoints, authDeps, services)
  mountUploads(server, authDeps, services)
  mountAttachments(server, authDeps, services)

  const closeSockets = attachSockets(server.server, {
    clock,
    log,
    limits: { ...defaultLimits, ...overrides.limits },
    metrics: new SocketMetrics(metrics),
    secret,
    authenticator,
    sessions,
    admission: new AppAdmission({ apiKeys, users, running, userSessions, sessions }),
    isAccepting: () => readiness.isReady,
  })

  const port = await listen(server, config.http)
  url = addressOf(config.http.host, port)
  readiness.ready()
  // What the first app start needs is loaded once the cloud serves, not before.
  setImmediate(() => void webhooks.prepare())
  changeLogSweep.wake()
  for (const job of galleryFeature.jobs ?? []) job.start()
  exports.start()
  deletions.start()

  let closing: Promise<void> | undefined
  const close = async () => {
    readiness.stopping()
    appMessages.close()
    await sessions.close()
    await streams.close()
    stopping.abort()
    await closeSockets()
    await drain(server)
    await Promise.all([
      photos.settled(),
      settingsCalls.idle(),
      changeLogSweep.stop(),
      ...(galleryFeature.jobs ?? []).map((job) => job.stop()),
    ])
    await speech.close()
    await Promise.all([exports.stop(), deletions.stop()])
    sharedCounts?.close()
    await webhooks.close()
    await changes.close()
    await db.destroy()
  }
  return {
    url,
    port,
    services,
    authDeps,
    server,
    db,
    log,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** The address of a socket beside a web address; a path of the web address stays in front. */
function socketUrl(base: URL, path: string): string {
  const url = new URL(base)
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`
  return url.href
}

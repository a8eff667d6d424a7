import { aboutCloud } from './config/index.ts'
import type { Feature } from './feature.ts'
import { createAdministration } from './features/administration/index.ts'
import { createAudit } from './features/audit/index.ts'
import { type AuthDeps, createAuth } from './features/auth/index.ts'
import { createBridge } from './features/bridge/index.ts'
import { createConsolePages } from './features/console-pages/index.ts'
import { createDeveloper } from './features/developer/index.ts'
import { createHardware } from './features/hardware/index.ts'
import { createIncidents } from './features/incidents/index.ts'
import { createLiveSession } from './features/live-session/index.ts'
import { createOrganizations } from './features/organizations/index.ts'
import { createPermissions } from './features/permissions/index.ts'
import { createPersonalData } from './features/personal-data/index.ts'
import { createPhone } from './features/phone/index.ts'
import { createProfile } from './features/profile/index.ts'
import { createReachability } from './features/reachability/index.ts'
import { createRecentAudio } from './features/recent-audio/index.ts'
import { createSampleApp } from './features/sample-app/index.ts'
import { createSdk } from './features/sdk/index.ts'
import { createSimpleStorage } from './features/simple-storage/index.ts'
import { createTools } from './features/tools/index.ts'
import { createTranscripts } from './features/transcripts/index.ts'
import { createTts } from './features/tts/index.ts'
import { createWebTokens } from './features/web-tokens/index.ts'
import { createWebview } from './features/webview/index.ts'
import type { SessionHost } from './host-sessions.ts'
import { organizationsExport, personalTokensExport } from './identity/index.ts'
import type { Infrastructure } from './infrastructure.ts'
import { WorkerMetrics } from './jobs/index.ts'
import type { SessionFeatures } from './session-features.ts'
import { runningAppsExport, sessionExport } from './session-host/index.ts'

/** Collaborators of features that tests replace or share. */
export type FeatureOverrides = Pick<AuthDeps, 'passwordPolicy' | 'passwords'>

/** Every feature of the cloud. */
export type Features = Awaited<ReturnType<typeof createFeatures>>

/** Creates the features that use sessions, and lists them together with those that sessions use. */
export async function createFeatures(
  infrastructure: Infrastructure,
  sessionFeatures: SessionFeatures,
  host: SessionHost,
  { passwordPolicy, passwords }: FeatureOverrides = {},
) {
  const { access, apiKeyStore, appTokens, authenticator, blobs, bus, changes, claims, clock, cluster } =
    infrastructure
  const { config, credentialUses, db, log, logins, loginTokens, metrics, now, organizations } = infrastructure
  const { personalTokens, personalTokenStore, publicUrl, running, secret, secrets, signal } = infrastructure
  const { tls, tokens, users, userSessions, webhooks } = infrastructure
  const { catalogue, apps, installs, healthChecks } = sessionFeatures.catalogue
  const { directory: sessions, announcements } = host
  const { installedModels } = sessionFeatures.speechModels
  const liveSessions = () => host.sessions.size

  const workers = new WorkerMetrics(metrics)
  const audit = createAudit({ db, secret, clock, log, now })
  const auth = createAuth({
    passwordPolicy,
    passwords,
    workers,
    audit: audit.audit,
    config,
    secret,
    secrets,
    db,
    users,
    logins,
    loginTokens,
    tokens,
    appTokens,
    personalTokens,
    personalTokenStore,
    authenticator,
    claims,
    credentialUses,
    sessions,
    publicUrl,
    clock,
    now,
    log,
  })
  const developer = createDeveloper({
    audit: audit.audit,
    db,
    changes,
    config,
    blobs,
    apps,
    catalogue,
    organizations,
    apiKeyStore,
    sessions,
    webhooks,
    publicUrl,
    clock,
    log,
    now,
  })
  const { publishing, reviews } = developer
  const webTokens = createWebTokens({ db, config, apiKeyStore, catalogue, secrets, publicUrl, now })
  const incidents = createIncidents({ db, blobs, log, publicUrl, now })
  // In the order of the sections of an export.
  const features = {
    auth,
    audit,
    profile: createProfile({ db, users, now }),
    catalogue: sessionFeatures.catalogue,
    organizations: createOrganizations({ db, secret, organizations, publicUrl, now, mailer: auth.mailer }),
    developer,
    appLog: sessionFeatures.appLog,
    liveSession: createLiveSession({
      sessions,
      announcements,
      changes,
      access,
      clock,
      signal,
    }),
    permissions: createPermissions({ apps, catalogue, sessions, publishing, now }),
    settings: sessionFeatures.settings,
    simpleStorage: createSimpleStorage({ db, users, installs, catalogue, sessions, now }),
    gallery: sessionFeatures.gallery,
    photos: sessionFeatures.photos,
    video: sessionFeatures.video,
    appMessages: sessionFeatures.appMessages,
    tts: await createTts({
      config,
      db,
      secret,
      metrics,
      workers,
      models: installedModels,
      clock,
      log,
    }),
    speechModels: sessionFeatures.speechModels.feature(audit.audit),
    stt: sessionFeatures.stt,
    recentAudio: createRecentAudio({ authenticator, sessions }),
    transcripts: createTranscripts({ sessions, now }),
    tools: createTools({ catalogue, apiKeyStore, webhooks, clock, signal }),
    webTokens,
    webview: createWebview({
      db,
      config,
      users,
      logins,
      tokens,
      catalogue,
      webTokens: webTokens.webTokens,
      publicUrl,
      now,
    }),
    sdk: createSdk({ catalogue, now }),
    sampleApp: createSampleApp({
      authority: tls?.authority,
      config,
      apps,
      apiKeyStore,
      organizations,
      clock,
      now,
      log,
    }),
    phone: createPhone({
      db,
      config,
      authenticator,
      catalogue,
      healthChecks,
      sessions,
      webhooks,
      liveSessions,
      now,
    }),
    reachability: createReachability({ db, secret, verifications: auth.verifications, publicUrl, now }),
    hardware: createHardware({ sessions }),
    incidents,
    consolePages: createConsolePages(publicUrl),
    bridge: createBridge({ publicUrl }),
  }
  const kernelData = {
    exportSections: [
      organizationsExport(organizations),
      personalTokensExport(personalTokens),
      runningAppsExport(running),
      sessionExport(userSessions),
    ],
  }
  // Exports and deletes the data of all features.
  const personalData = createPersonalData({
    browserLogins: auth.browserLogins,
    db,
    blobs,
    bus,
    users,
    sessions,
    secret,
    clock,
    log,
    contributors: [kernelData, ...Object.values(features)],
  })
  claims.connect(personalData.deletions)
  const administration = createAdministration({
    db,
    changes,
    config,
    apps,
    reviews,
    users,
    access,
    sessions,
    liveSessions,
    deletions: personalData.deletions,
    incidentFiles: incidents.incidents,
    audit: audit.audit,
    checks: async () => [
      ...(await (
        await import('./doctor/index.ts')
      ).runChecks(config, {
        isRunning: true,
        speech: { speech: features.tts.speech, models: installedModels },
      })),
      ...sessionFeatures.stt.recognizers.describe(),
    ],
    publicUrl,
    metrics,
    cluster,
    signal,
    clock,
    log,
    now,
  })
  return { personalData, administration, backup: await createBackup(infrastructure), ...features }
}

/** The schedule of backups, if there is one. */
async function createBackup({ config, secret, db, metrics, clock, log }: Infrastructure): Promise<Feature> {
  const { at, everyMs, to } = config.backup
  if (everyMs === undefined || to === undefined) return { name: 'backup' }
  // Loads the formats of backups and their encryption.
  const { BackupStateStore, configuredLock, createBackupSchedule, createBackupTask } = await import(
    './backup/index.ts'
  )
  const { previousSecret } = config.auth
  const secrets = {
    authSecret: secret,
    ...(previousSecret !== undefined && { previousAuthSecret: previousSecret }),
  }
  const { version } = aboutCloud(config)
  return createBackupSchedule({
    everyMs,
    at,
    task: () => createBackupTask(config, to, secrets, configuredLock(config), version),
    states: new BackupStateStore(db),
    metrics,
    clock,
    log,
  })
}

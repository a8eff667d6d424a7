import { createAppLog } from './features/app-log/index.ts'
import { createAppMessages } from './features/app-messages/index.ts'
import { createCatalogue } from './features/catalogue/index.ts'
import { createGallery } from './features/gallery/index.ts'
import { createPhotos } from './features/photos/index.ts'
import { createSettings } from './features/settings/index.ts'
import { createSpeechModels, type ModelManifest } from './features/speech-models/index.ts'
import { createStt, type SpeechToText } from './features/stt/index.ts'
import { createVideo, type StreamingProvider } from './features/video/index.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { SessionDirectory, SessionHandle } from './session-host/index.ts'

/** Replaces the providers of features in tests. */
export interface ProviderOverrides {
  readonly streaming?: StreamingProvider
  readonly speech?: readonly SpeechToText[]
  /** The catalogue of speech models. */
  readonly speechModels?: readonly ModelManifest[]
}

/**
 * The live sessions for the features that sessions use: these exist before the sessions, but their endpoints find
 * sessions in turn. Connected before the cloud serves.
 */
export class LateSessionDirectory implements SessionDirectory {
  #directory: SessionDirectory | undefined

  connect(directory: SessionDirectory): void {
    this.#directory = directory
  }

  find(userId: string): Promise<SessionHandle | undefined> {
    return this.#connected.find(userId)
  }

  findBySessionId(userSessionId: string): Promise<SessionHandle | undefined> {
    return this.#connected.findBySessionId(userSessionId)
  }

  appChanged(packageName: string): Promise<void> {
    return this.#connected.appChanged(packageName)
  }

  accessChanged(userId: string): Promise<void> {
    return this.#connected.accessChanged(userId)
  }

  get #connected(): SessionDirectory {
    if (this.#directory === undefined) throw new Error('The sessions are not connected yet')
    return this.#directory
  }
}

/** The features that sessions use. */
export type SessionFeatures = Awaited<ReturnType<typeof createSessionFeatures>>

/** Creates the features that sessions use, each after those it depends on. */
export async function createSessionFeatures(
  infrastructure: Infrastructure,
  sessions: LateSessionDirectory,
  { streaming, speech, speechModels }: ProviderOverrides,
) {
  const { access, address, apiKeyStore, blobs, bus, changes, clock, config, db, log, metrics } =
    infrastructure
  const { now, organizations, publicUrl, secret, secrets, signal, tls, tracing } = infrastructure
  const { users, webhooks } = infrastructure

  const catalogueFeature = createCatalogue({
    clock,
    db,
    changes,
    config,
    organizations,
    users,
    apiKeyStore,
    webhooks,
    publicUrl,
    sessions,
    log,
    now,
  })
  const { catalogue, apps, installs } = catalogueFeature
  const galleryFeature = createGallery({ db, blobs, bus, clock, log, config, publicUrl })
  const { gallery } = galleryFeature
  const models = await createSpeechModels({
    db,
    blobs,
    config,
    changes,
    catalogue: speechModels,
    clock,
    log,
  })
  return {
    catalogue: catalogueFeature,
    gallery: galleryFeature,
    settings: createSettings({ db, config, apiKeyStore, catalogue, sessions, webhooks, log, signal, now }),
    photos: createPhotos({
      db,
      clock,
      catalogue,
      apiKeyStore,
      users,
      gallery,
      sessions,
      webhooks,
      secrets,
      publicUrl,
      tracing,
      log,
      now,
    }),
    video: await createVideo({
      config,
      db,
      address,
      publicUrl,
      gallery,
      sessions,
      provider: streaming,
      tls,
      secrets,
      clock,
      log,
    }),
    speechModels: models,
    stt: await createStt({
      config,
      metrics,
      tracing,
      clock,
      log,
      models: models.installedModels,
      providers: speech,
    }),
    appLog: createAppLog({
      db,
      apps,
      catalogue,
      installs,
      access,
      secret,
      clock,
      log,
      signal,
    }),
    appMessages: createAppMessages({ config, db, bus, clock, log }),
  }
}

import { dirname } from 'node:path'
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import { type BlobStore, DiskSpace } from '../../blobs/index.ts'
import { type Config, nodeFolder } from '../../config/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { JobRunStore } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { createGuardedAgent } from '../../webhooks/index.ts'
import type { Audit } from '../audit/index.ts'
import { catalogueModels } from './catalogue.ts'
import { speechModelEndpoints } from './endpoints.ts'
import { InstalledModelCache, type InstalledModels } from './installed-models.ts'
import { ModelDownloader } from './model-downloader.ts'
import { ModelFolders } from './model-folders.ts'
import { ModelInstaller } from './model-installer.ts'
import type { ModelManifest } from './speech-model.ts'
import { SpeechModelStore } from './speech-model-store.ts'
import { SpeechModels } from './speech-models.ts'

export { catalogueModels, recognizedLanguages } from './catalogue.ts'
export { SpeechModelMissingError } from './install-error.ts'
export { type InstalledModels, verifyModels } from './installed-models.ts'
export { openLocalSource, readLocalManifest } from './local-source.ts'
export { deleteBlobs } from './model-installer.ts'
export { type ModelManifest, readManifest, type SpeechModel, sizeOf } from './speech-model.ts'
export { SpeechModelStore } from './speech-model-store.ts'
export { fetchManifest, newInstallId, requestInstall } from './speech-models.ts'

/** What installing models needs, in the cloud and on the command line. */
export interface SpeechModelToolsDeps {
  readonly db: Database
  readonly blobs: BlobStore
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
}

/** Creates what installs models. Requests go to the addresses that requests to app servers may go to. */
export function createSpeechModelTools({ db, blobs, config, clock, log }: SpeechModelToolsDeps) {
  const { isDirShared, s3, diskReserveBytes } = config.data
  const root = nodeFolder(config.data, 'speech-models')
  const space = new DiskSpace(dirname(root), diskReserveBytes)
  const store = new SpeechModelStore(db)
  const folders = new ModelFolders({ root, blobs, space })
  const open = (): Promise<Dispatcher> => createGuardedAgent(config.apps.allowPrivateNetworks)
  const downloader = new ModelDownloader({ open, space, clock })
  const hasBlobsOnDisk = s3 === undefined && !isDirShared
  const installer = new ModelInstaller({
    store,
    blobs,
    folders,
    downloader,
    space,
    hasBlobsOnDisk,
    clock,
    log,
  })
  return { store, folders, downloader, installer }
}

export interface SpeechModelsFeatureDeps extends SpeechModelToolsDeps {
  readonly changes: ChangeFeed
  /** Replaces the catalogue of the program in tests. */
  readonly catalogue?: readonly ModelManifest[] | undefined
}

/** The speech models for what uses them, and the feature, which needs an audit log. */
export interface SpeechModelsFeature {
  readonly installedModels: InstalledModels
  /** Returns the feature: its endpoints, and its work in the background. */
  feature(audit: Audit): Feature & { readonly installedModels: InstalledModels }
}

/** Creates the speech models: their store, and their administration under `/api/admin/speech-models`. */
export async function createSpeechModels(deps: SpeechModelsFeatureDeps): Promise<SpeechModelsFeature> {
  const { db, blobs, changes, clock, log, catalogue = catalogueModels() } = deps
  const { store, folders, downloader, installer } = createSpeechModelTools(deps)
  const cache = await InstalledModelCache.open({ store, changes, folders, clock, log })
  const runs = new JobRunStore(db)
  const models = new SpeechModels({
    store,
    installer,
    downloader,
    folders,
    blobs,
    catalogue,
    runs,
    clock,
    log,
  })
  return {
    installedModels: cache,
    feature: (audit) => ({
      name: 'speech-models',
      installedModels: cache,
      endpoints: speechModelEndpoints({ models, store, audit, changes, catalogue, now: () => clock.now() }),
      jobs: [models],
      async close() {
        await cache.close()
        await downloader.close()
      },
    }),
  }
}

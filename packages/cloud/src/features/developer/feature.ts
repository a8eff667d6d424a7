import { PHONE_PACKAGE } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Config } from '../../config/index.ts'
import type { ChangeFeed, Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore, OrganizationStore } from '../../identity/index.ts'
import { createSweepJob, JobRunStore } from '../../jobs/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { AppStore, Catalogue } from '../catalogue/index.ts'
import { AppImageFiles } from './app-image-files.ts'
import { createApp } from './create-app.ts'
import { deleteApp } from './delete-app.ts'
import { deleteScreenshot } from './delete-screenshot.ts'
import type { DeveloperEndpointDeps } from './deps.ts'
import { getAccount } from './get-account.ts'
import { getOwnApp } from './get-app.ts'
import { getImage } from './get-image.ts'
import { listOwnApps } from './list-apps.ts'
import { listKeys } from './list-keys.ts'
import { moveApp } from './move-app.ts'
import { Pings } from './ping/index.ts'
import { pingApp } from './ping-app.ts'
import { publishApp, unpublishApp } from './publish-app.ts'
import { Publishing } from './publishing.ts'
import { ReviewStore } from './review-store.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'
import { updateApp } from './update-app.ts'
import { uploadLogo, uploadScreenshot } from './upload-image.ts'

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000

const SWEEP_CHECK_INTERVAL_MS = 60 * 60 * 1000

/** Collaborators of the developer API. */
export interface DeveloperDeps {
  readonly db: Database
  readonly changes: ChangeFeed
  readonly config: Config
  readonly blobs: BlobStore
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly organizations: OrganizationStore
  readonly apiKeyStore: ApiKeyStore
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  readonly publicUrl: () => URL
  readonly clock: Clock
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** The developer API: apps with their keys and images, under `/api/console`. */
export function createDeveloper(deps: DeveloperDeps): Feature & {
  readonly reviews: ReviewStore
  readonly publishing: Publishing
  readonly images: AppImageFiles
} {
  const { db, apps, config, now } = deps
  const reviews = new ReviewStore(db)
  const images = new AppImageFiles(deps)
  const publishing = new Publishing({ apps, reviews, isReviewed: config.apps.review, now })
  const endpointDeps: DeveloperEndpointDeps = {
    ...deps,
    images,
    reviews,
    pings: new Pings({ ...deps, allowPrivateNetworks: config.apps.allowPrivateNetworks }),
    publishing,
    reservedPackages: reservedPackages(config),
  }
  return {
    name: 'developer',
    reviews,
    publishing,
    images,
    endpoints: [
      getAccount(endpointDeps),
      listOwnApps(endpointDeps),
      createApp(endpointDeps),
      getOwnApp(endpointDeps),
      updateApp(endpointDeps),
      deleteApp(endpointDeps),
      publishApp(endpointDeps),
      unpublishApp(endpointDeps),
      moveApp(endpointDeps),
      listKeys(endpointDeps),
      rotateKey(endpointDeps),
      revokeKey(endpointDeps),
      pingApp(endpointDeps),
      uploadLogo(endpointDeps),
      uploadScreenshot(endpointDeps),
      deleteScreenshot(endpointDeps),
      getImage({ images }),
    ],
    jobs: [
      createSweepJob({
        name: 'app-images-sweep',
        everyMs: SWEEP_INTERVAL_MS,
        checkEveryMs: SWEEP_CHECK_INTERVAL_MS,
        sweep: (signal) => images.sweep(signal),
        runs: new JobRunStore(db),
        clock: deps.clock,
        log: deps.log,
      }),
    ],
  }
}

/** Package names that the settings give rights to, in lower case. The owner of such a package would get these rights. */
function reservedPackages({ apps, auth }: Config): ReadonlySet<string> {
  const { system, apiKeyPackages, audioPackages, dashboard } = apps
  const names = [
    ...system,
    ...apiKeyPackages,
    ...audioPackages,
    dashboard,
    PHONE_PACKAGE,
    auth.storePackage ?? '',
  ]
  return new Set(names.map((name) => name.toLowerCase()))
}

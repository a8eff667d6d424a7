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
import type { Audit } from '../audit/index.ts'
import type { AppStore, Catalogue } from '../catalogue/index.ts'
import { appActionEndpoints } from './app-action-endpoints.ts'
import { appEndpoints, type DeveloperEndpointDeps } from './app-endpoints.ts'
import { AppImageFiles } from './app-image-files.ts'
import { imageEndpoints } from './image-endpoints.ts'
import { keyEndpoints } from './key-endpoints.ts'
import { Pings } from './ping/index.ts'
import { Publishing } from './publishing.ts'
import { ReviewStore } from './review-store.ts'

export { requireOwner } from './access.ts'
export { applyToSessions, refuseInReview } from './app-endpoints.ts'
export { toDeveloperApps, viewOf } from './app-view.ts'
export type { Publishing } from './publishing.ts'
export { type Decision, ReviewStore } from './review-store.ts'

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000

const SWEEP_CHECK_INTERVAL_MS = 60 * 60 * 1000

export interface DeveloperDeps {
  readonly db: Database
  readonly audit: Audit
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
  const publishing = new Publishing({ db, apps, reviews, isReviewed: config.apps.review, now })
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
      ...appEndpoints(endpointDeps),
      ...appActionEndpoints(endpointDeps),
      ...keyEndpoints(endpointDeps),
      ...imageEndpoints(endpointDeps),
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

import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { Authenticator } from '../../identity/index.ts'
import type { ExportSection } from '../../personal-data.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue, HealthChecks } from '../catalogue/index.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { onboardingEndpoints } from './onboarding-endpoints.ts'
import { OnboardingStore } from './onboarding-store.ts'
import { reportEndpoints } from './report-endpoints.ts'
import { PhoneReportStore } from './report-store.ts'
import { getSound } from './sound.ts'
import { startUpEndpoints } from './start-up-endpoints.ts'

export { PhoneReportStore } from './report-store.ts'

export interface PhoneDeps {
  readonly db: Database
  readonly config: Config
  readonly authenticator: Authenticator
  readonly catalogue: Catalogue
  readonly healthChecks: HealthChecks
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  /** Number of live user sessions in this process. */
  readonly liveSessions: () => number
  /** Epoch ms. */
  readonly now: () => number
}

/** Endpoints for reports and requests of phones (glasses-socket.md §3). */
export function createPhone({ db, ...deps }: PhoneDeps): Feature & {
  readonly phoneReports: PhoneReportStore
  readonly onboardings: OnboardingStore
} {
  const phoneReports = new PhoneReportStore(db)
  const onboardings = new OnboardingStore(db)
  const endpointDeps = { ...deps, phoneReports, onboardings }
  return {
    name: 'phone',
    phoneReports,
    onboardings,
    endpoints: [
      ...deviceEndpoints(endpointDeps),
      getSound(endpointDeps),
      ...startUpEndpoints(endpointDeps),
      ...reportEndpoints(endpointDeps),
      ...onboardingEndpoints(endpointDeps),
    ],
    exportSections: phoneSections(phoneReports, onboardings),
  }
}

/** Exports phone reports and completed onboardings. */
function phoneSections(reports: PhoneReportStore, onboardings: OnboardingStore): ExportSection[] {
  return [
    {
      name: 'phoneReports',
      tables: ['phone_reports'],
      async *facts({ id }) {
        for (const { id: key, kind, content, createdAt } of await reports.listByUser(id))
          yield { key, value: { kind, content }, updatedAt: createdAt }
      },
    },
    {
      name: 'onboarding',
      tables: ['onboardings'],
      async *facts({ id }) {
        for (const { packageName, completedAt } of await onboardings.listByUser(id))
          yield {
            key: packageName,
            value: { completedAt: new Date(completedAt).toISOString() },
            updatedAt: completedAt,
          }
      },
    },
  ]
}

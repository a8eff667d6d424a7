import type { ExportSection } from '../../personal-data.ts'
import type { OnboardingStore } from './onboarding-store.ts'
import type { PhoneReportStore } from './report-store.ts'

/** Exports phone reports and completed onboardings. */
export function phoneSections(reports: PhoneReportStore, onboardings: OnboardingStore): ExportSection[] {
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

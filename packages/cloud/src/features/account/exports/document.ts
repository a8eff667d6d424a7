import type { ExportSection, UserRef } from '../../../personal-data.ts'

/** What an export is written from. */
export interface ExportDocument {
  readonly exportId: string
  readonly user: UserRef
  /** Epoch ms. */
  readonly createdAt: number
  readonly sections: readonly ExportSection[]
}

/** Epoch ms as exports write them. */
export function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

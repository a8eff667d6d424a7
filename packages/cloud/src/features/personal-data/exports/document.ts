import type { ExportSection, UserRef } from '../../../personal-data.ts'

/** Content of an export. */
export interface ExportDocument {
  readonly exportId: string
  readonly user: UserRef
  /** Epoch ms. */
  readonly createdAt: number
  readonly sections: readonly ExportSection[]
}

/** Formats epoch ms; undefined stays undefined. */
export function toIsoString(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

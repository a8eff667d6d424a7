import type { Deletions } from './deletion/index.ts'
import type { Exports } from './exports/index.ts'

export interface PersonalDataEndpointDeps {
  readonly deletions: Deletions
  readonly exports: Exports
}

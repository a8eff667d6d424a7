import { accountErrors, permissionsErrors, settingsErrors } from './account.ts'
import { catalogueErrors, toolsErrors, webviewErrors } from './catalogue.ts'
import { coreErrors, phoneErrors } from './core.ts'
import { developerErrors, organizationErrors } from './developer.ts'
import { identityErrors } from './identity.ts'
import { galleryErrors, mediaErrors, streamsErrors } from './media.ts'

export type { ErrorEntry, ErrorStyle } from './core.ts'

/** The error catalogue: every error of the REST interface, by code. Codes are never reused. */
export const errors = {
  ...coreErrors,
  ...catalogueErrors,
  ...identityErrors,
  ...accountErrors,
  ...developerErrors,
  ...galleryErrors,
  ...organizationErrors,
  ...permissionsErrors,
  ...phoneErrors,
  ...mediaErrors,
  ...settingsErrors,
  ...streamsErrors,
  ...toolsErrors,
  ...webviewErrors,
} as const

/** A code of the error catalogue. */
export type ErrorCode = keyof typeof errors

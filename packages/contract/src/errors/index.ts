import { accountErrors } from './account.ts'
import { catalogueErrors } from './catalogue.ts'
import { coreErrors } from './core.ts'
import { developerErrors } from './developer.ts'
import { galleryErrors } from './gallery.ts'
import { identityErrors } from './identity.ts'
import { mediaErrors } from './media.ts'
import { organizationErrors } from './organizations.ts'
import { permissionsErrors } from './permissions.ts'
import { phoneErrors } from './phone.ts'
import { settingsErrors } from './settings.ts'
import { streamsErrors } from './streams.ts'
import { toolsErrors } from './tools.ts'
import { webviewErrors } from './webview.ts'

export type { ErrorEntry, ErrorStyle } from './error.ts'

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

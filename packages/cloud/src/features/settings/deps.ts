import type { Config } from '../../config/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import type { AppSettings } from './app-settings.ts'
import type { UserSettings } from './user-settings.ts'

/** Collaborators of the endpoints of this feature. */
export interface SettingsEndpointDeps {
  readonly appSettings: AppSettings
  readonly catalogue: Catalogue
  readonly config: Config
  /** Epoch ms. */
  readonly now: () => number
  readonly userSettings: UserSettings
}

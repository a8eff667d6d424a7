import { APPS_SETTINGS } from './apps.ts'
import { AUTHENTICATION_SETTINGS, MAIL_SETTINGS } from './authentication.ts'
import { BACKUP_SETTINGS } from './backup.ts'
import { HTTPS_SETTINGS } from './https.ts'
import { PHONES_SETTINGS, SERVER_SETTINGS } from './server.ts'
import type { SettingGroup } from './setting-group.ts'
import { SPEECH_TO_TEXT_SETTINGS, TEXT_TO_SPEECH_SETTINGS } from './speech-to-text.ts'
import { STORAGE_SETTINGS } from './storage.ts'
import { STREAMING_SETTINGS } from './streaming.ts'
import { TRACING_SETTINGS } from './tracing.ts'

const GROUPS = [
  SERVER_SETTINGS,
  HTTPS_SETTINGS,
  STORAGE_SETTINGS,
  BACKUP_SETTINGS,
  AUTHENTICATION_SETTINGS,
  MAIL_SETTINGS,
  APPS_SETTINGS,
  PHONES_SETTINGS,
  TEXT_TO_SPEECH_SETTINGS,
  SPEECH_TO_TEXT_SETTINGS,
  STREAMING_SETTINGS,
  TRACING_SETTINGS,
] as const

/** The name of an environment variable that the cloud reads. */
export type SettingName = NameIn<(typeof GROUPS)[number]>

type NameIn<Group> = Group extends { readonly settings: infer Settings } ? keyof Settings & string : never

/** Every setting, by purpose. The configuration reads no others; docs/configuration.md is made of them. */
export const SETTING_GROUPS: readonly SettingGroup[] = GROUPS

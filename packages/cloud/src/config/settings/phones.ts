import type { SettingGroup } from './setting-group.ts'

export const PHONES_SETTINGS = {
  title: 'Phones',
  settings: {
    PHONE_REQUIRED_VERSION: {
      fallback: '`0.0.0`',
      description: 'phone apps older than this must be updated',
    },
    PHONE_RECOMMENDED_VERSION: {
      fallback: '`0.0.0`',
      description: 'users of phone apps older than this are asked to update',
    },
  },
} as const satisfies SettingGroup

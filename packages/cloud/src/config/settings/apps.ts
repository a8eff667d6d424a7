import type { SettingGroup } from './setting-group.ts'

export const APPS_SETTINGS = {
  title: 'Apps',
  settings: {
    SYSTEM_APPS: {
      fallback: 'four packages of the ecosystem',
      description: 'package names of apps that count as installed for every user',
    },
    API_KEY_PACKAGES: {
      fallback: 'none',
      description: 'package names of apps that may act for a user with their API key',
    },
    AUDIO_PACKAGE: {
      fallback: 'none',
      description: 'package names of apps that may read recent audio',
    },
    SYSTEM_DASHBOARD_PACKAGE_NAME: {
      fallback: '`system.augmentos.dashboard`',
      description:
        "package name of the app that owns the dashboard; set the same value in that app's environment",
    },
    APP_START_TIMEOUT_MS: {
      fallback: '`5000`',
      description: 'deadline for the start of an app, in milliseconds',
    },
    ALLOW_PRIVATE_NETWORKS: {
      fallback:
        '`true` if the host of `PUBLIC_URL` (or `HOST`) is a loopback or private address or a name below `.local`, `.lan`, `.home.arpa` or `.fritz.box`, otherwise `false`',
      description: 'allow app servers at loopback and private addresses. `0.0.0.0` is not a private address',
    },
    SAMPLE_APP: {
      fallback:
        '`on` if the host of `PUBLIC_URL` (or `HOST`) is a loopback address and the database is SQLite, otherwise `off`',
      description:
        'the cloud serves the sample app Captions itself, published in its store, on a free loopback port; `off` takes it out of the store again',
    },
    APP_REVIEW: {
      fallback: '`off`',
      description: 'with `on`, apps are published once an administrator has approved them',
    },
    REST_LIMIT_PER_MINUTE: {
      fallback: '`100`',
      description:
        'requests per minute for one user, for one app and each of its users, or for one address of unauthenticated clients; more are rejected with 429. What phones report by themselves is counted apart: three times as many in ten seconds',
    },
    APP_LIMIT_PER_MINUTE: {
      fallback: '`3000`',
      description:
        'requests per minute for one app and all its users together; `0` for no limit, then an app may have any number of counters in Redis, each for a minute',
    },
  },
} as const satisfies SettingGroup

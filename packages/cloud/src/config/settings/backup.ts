import type { SettingGroup } from './setting-group.ts'

export const BACKUP_SETTINGS = {
  title: 'Backup',
  intro: 'See [backup](backup.md).',
  settings: {
    BACKUP_TO: {
      fallback: 'none',
      description:
        'folder, or `s3://bucket/prefix`, for the backups of `BACKUP_EVERY` and of `cli -- backup` without `--to`; files are stored there once',
    },
    BACKUP_EVERY: {
      fallback: 'none',
      description:
        'time between two backups, such as `24h`, `30m` or `7d`, at least 10 minutes; one node makes each. Needs `BACKUP_TO`',
    },
    BACKUP_AT: {
      fallback: 'none',
      description:
        'time of day, such as `03:00`, at which backups are made, in the time zone of the process (`TZ`; in containers usually UTC). `BACKUP_EVERY` is then a number of days, by default `1d`',
    },
    BACKUP_KEEP: {
      fallback: '`14`',
      description: 'number of backups that are kept in `BACKUP_TO`',
    },
    BACKUP_RECIPIENT: {
      fallback: 'none',
      description:
        'public keys of age (`age1…`), separated by commas, that backups are encrypted for: the server cannot read them',
    },
    BACKUP_PASSPHRASE: {
      fallback: 'none',
      description: 'passphrase that backups are encrypted with, at least 12 characters',
      isSecret: true,
    },
    BACKUP_S3_ENDPOINT: {
      fallback: 'that of `S3_ENDPOINT`',
      description: 'S3 service of `BACKUP_TO`; with it, the next three settings replace those of the files',
    },
    BACKUP_S3_REGION: {
      fallback: 'that of `S3_REGION`',
      description: 'region of that bucket',
    },
    BACKUP_S3_ACCESS_KEY_ID: {
      fallback: 'that of `S3_ACCESS_KEY_ID`',
      description: 'access key for that bucket, with the rights of `S3_ACCESS_KEY_ID`',
      isSecret: true,
    },
    BACKUP_S3_SECRET_ACCESS_KEY: {
      fallback: 'that of `S3_SECRET_ACCESS_KEY`',
      description: 'secret of that access key',
      isSecret: true,
    },
  },
} as const satisfies SettingGroup

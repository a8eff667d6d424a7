import type { SettingGroup } from './setting-group.ts'

export const STORAGE_SETTINGS = {
  title: 'Storage',
  settings: {
    DATA_DIR: {
      fallback: '`./data`',
      description: 'folder for the SQLite database, files and secrets, accessible by its owner only',
    },
    DATABASE_URL: {
      fallback: 'SQLite in `DATA_DIR`',
      description: 'PostgreSQL: `postgres://user:password@host:5432/name`',
    },
    DATABASE_DIRECT_URL: {
      fallback: 'that of `DATABASE_URL`',
      description:
        'address of PostgreSQL itself, where `DATABASE_URL` leads to a connection pooler such as PgBouncer in transaction mode: for notifications, and leases of nodes',
    },
    DATABASE_POOL_SIZE: {
      fallback: '`10`',
      description: 'PostgreSQL connections of one process',
    },
    DATABASE_STATEMENT_TIMEOUT_MS: {
      fallback: '`30000`',
      description: 'milliseconds after which PostgreSQL aborts a statement; `0` disables it',
    },
    DATABASE_QUERY_TIMEOUT_MS: {
      fallback: '`35000`',
      description:
        'milliseconds after which a query fails even if PostgreSQL does not respond; `0` disables it',
    },
    S3_BUCKET: {
      fallback: 'the folder `DATA_DIR/blobs`',
      description:
        'S3 bucket for photos, exports and attachments; requires `S3_ENDPOINT`, `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`',
    },
    S3_ENDPOINT: {
      fallback: 'none',
      description:
        'base URL of the S3 service, such as `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`',
    },
    S3_REGION: {
      fallback: '`us-east-1`',
      description: 'region of the bucket',
    },
    S3_ACCESS_KEY_ID: {
      fallback: 'none',
      description:
        'access key that may read, write, list and delete objects of the bucket, and list and abort multipart uploads',
      isSecret: true,
    },
    S3_SECRET_ACCESS_KEY: {
      fallback: 'none',
      description: 'secret of the access key',
      isSecret: true,
    },
    S3_FORCE_PATH_STYLE: {
      fallback: '`true`',
      description:
        'address the bucket in the path (`endpoint/bucket`); `false` in the host name (`bucket.endpoint`)',
    },
    REDIS_URL: {
      fallback: 'none',
      description:
        'Redis, which several nodes need: `redis://host:6379` or `rediss://host:6379`. Needs `DATABASE_URL`, `AUTH_SECRET`, and `S3_BUCKET` or `SHARED_DATA_DIR=true`. Several comma-separated URLs name Sentinels or all servers of a Redis Cluster',
    },
    REDIS_SENTINEL_MASTER: {
      fallback: 'none',
      description: 'name of the master that the Sentinels at `REDIS_URL` monitor',
    },
    REDIS_CLUSTER: {
      fallback: '`false`',
      description: '`true` if `REDIS_URL` names nodes of a Redis Cluster',
    },
    SHARED_DATA_DIR: {
      fallback: '`false`',
      description: '`true` if `DATA_DIR` is on a network file system that all nodes share',
    },
    DISK_RESERVE_MB: {
      fallback: '`512`',
      description:
        'MiB that stay free on the disk of `DATA_DIR`: below it, uploads, recordings and exports are refused with 507, and everything else goes on. With `S3_BUCKET` only recordings are',
    },
    GALLERY_MB: {
      fallback: '`2048`',
      description:
        'gallery quota per user in MiB, where a photo counts as at least 16 KiB and at most 10,000 are stored; photos beyond it are not stored but still delivered to the app that requested them',
    },
  },
} as const satisfies SettingGroup

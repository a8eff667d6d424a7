import type { EnvReader } from './env.ts'

/** The S3 bucket for blobs. */
export interface S3Config {
  readonly endpoint: URL
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket is in the path of URLs rather than in the host name. */
  readonly forcePathStyle: boolean
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Reads the bucket; undefined if none of its settings is set. If one is set, those without a default are required. */
export function readS3(read: EnvReader): S3Config | undefined {
  const names = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const endpoint = read.url('S3_ENDPOINT', ['http', 'https'], 'https://s3.eu-central-1.amazonaws.com')
  const region = read.match('S3_REGION', 'us-east-1', /^[a-z0-9-]+$/, 'a region such as eu-central-1')
  const forcePathStyle = read.flag('S3_FORCE_PATH_STYLE', true)
  const bucket = read.match('S3_BUCKET', '', BUCKET_NAME, 'the name of a bucket')
  if (names.every((name) => read.text(name, undefined) === undefined)) return undefined
  const others = 'set, because other settings of the S3 bucket are set'
  for (const name of names) read.required(name, others)
  if (endpoint === undefined) return undefined
  return {
    endpoint,
    bucket,
    region,
    accessKeyId: read.text('S3_ACCESS_KEY_ID', ''),
    secretAccessKey: read.text('S3_SECRET_ACCESS_KEY', ''),
    forcePathStyle,
  }
}

/** A time of day. */
export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

/** Where, when and how backups are made. */
export interface BackupConfig {
  /** A folder or `s3://bucket/prefix`; undefined: none. */
  readonly to: string | undefined
  /** Time between two backups; undefined: only on command. */
  readonly everyMs: number | undefined
  /** Time of day at which they are made, in the time zone of the process. */
  readonly at: TimeOfDay | undefined
  /** Number of backups that are kept. */
  readonly keep: number
  /** Public keys of age. */
  readonly recipients: readonly string[]
  readonly passphrase: string | undefined
  /** Access to a bucket in `to`; undefined: not configured. */
  readonly s3: Omit<S3Config, 'bucket'> | undefined
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

const MIN_EVERY_MS = 10 * 60_000

/** Reads the settings of backups. @param s3 access to the bucket of the files, the default for that of backups */
export function readBackup(read: EnvReader, s3: S3Config | undefined): BackupConfig {
  const to = read.match(
    'BACKUP_TO',
    '',
    /^(s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?|(?![a-z0-9]+:\/\/).+)$/,
    'a folder, or s3://bucket/prefix',
  )
  const every = read.match('BACKUP_EVERY', '', /^\d{1,4}[mhd]$/, 'a time such as 24h, 30m or 7d')
  const at = read.match('BACKUP_AT', '', /^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 03:00')
  const everyMs = readInterval(every === '' && at !== '' ? '1d' : every)
  if (everyMs !== undefined && everyMs < MIN_EVERY_MS) read.reject('BACKUP_EVERY', 'must be at least 10m')
  if (at !== '' && everyMs !== undefined && everyMs % (UNIT_MS.d ?? 1) !== 0)
    read.reject('BACKUP_EVERY', 'must be a number of days, such as 1d, because BACKUP_AT is set')
  if (everyMs !== undefined && to === '')
    read.required('BACKUP_TO', `set, because ${every === '' ? 'BACKUP_AT' : 'BACKUP_EVERY'} is set`)
  const recipients = read.list('BACKUP_RECIPIENT', [], /^age1[0-9a-z]+$/, 'public keys of age (age1…)')
  const passphrase = read.secret('BACKUP_PASSPHRASE', 12)
  if (passphrase !== undefined && recipients.length > 0)
    read.reject('BACKUP_PASSPHRASE', 'must not be set together with BACKUP_RECIPIENT')
  return {
    to: to || undefined,
    everyMs,
    at: at === '' ? undefined : { hour: Number(at.slice(0, 2)), minute: Number(at.slice(3)) },
    keep: read.integer('BACKUP_KEEP', 14, { min: 1, max: 10_000 }),
    recipients,
    passphrase,
    s3: readAccess(read, s3),
  }
}

function readInterval(text: string): number | undefined {
  return text === '' ? undefined : Number(text.slice(0, -1)) * (UNIT_MS[text.slice(-1)] ?? 0)
}

function readAccess(read: EnvReader, s3: S3Config | undefined): BackupConfig['s3'] {
  const endpoint = read.url('BACKUP_S3_ENDPOINT', ['http', 'https'], 'https://s3.eu-central-1.amazonaws.com')
  const region = read.match('BACKUP_S3_REGION', '', /^[a-z0-9-]+$/, 'a region such as eu-central-1')
  const accessKeyId = read.text('BACKUP_S3_ACCESS_KEY_ID', undefined)
  const secretAccessKey = read.text('BACKUP_S3_SECRET_ACCESS_KEY', undefined)
  if (endpoint === undefined) return s3
  const others = 'set, because BACKUP_S3_ENDPOINT is set'
  return {
    endpoint,
    region: region || 'us-east-1',
    accessKeyId: accessKeyId ?? read.required('BACKUP_S3_ACCESS_KEY_ID', others),
    secretAccessKey: secretAccessKey ?? read.required('BACKUP_S3_SECRET_ACCESS_KEY', others),
    forcePathStyle: s3?.forcePathStyle ?? true,
  }
}

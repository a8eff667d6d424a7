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

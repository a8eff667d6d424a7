/** Where an S3 bucket is and how to access it. */
export interface S3Options {
  /** Base URL of the service, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: URL
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket is the first segment of the path; otherwise it is the first label of the host name. */
  readonly forcePathStyle: boolean
}

/** Returns the URL of the bucket, without a trailing slash. */
export function bucketUrl({ endpoint, bucket, forcePathStyle }: S3Options): string {
  const url = new URL(endpoint)
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${forcePathStyle ? `${path}/${bucket}` : path}`
}

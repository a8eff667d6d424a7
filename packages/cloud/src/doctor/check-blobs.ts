import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Finding } from '@glasses-cloud/contract'
import { pino } from 'pino'
import { openBlobStore } from '../blobs/index.ts'
import type { Config } from '../config/index.ts'
import { failure, ok } from './finding.ts'

const CONTENT = 'probe'

/** Checks that the S3 bucket, if it is configured, can be written, read and deleted from, with a small object. */
export async function checkBlobs({ data }: Config): Promise<Finding[]> {
  const { s3 } = data
  if (s3 === undefined) return []
  try {
    const blobs = await openBlobStore({ dataDir: data.dir, s3, log: pino({ level: 'silent' }) })
    const key = `doctor/${randomUUID()}`
    const startedAt = performance.now()
    try {
      await blobs.put(key, probe())
      const found = await blobs.get(key)
      const content = found && (await text(found.stream))
      if (!(await blobs.delete(key)) || content !== CONTENT)
        return [failure('blobs', `the bucket ${s3.bucket} does not return what was written to it`)]
      const ms = Math.round(performance.now() - startedAt)
      return [ok('blobs', `the bucket ${s3.bucket} can be written, read and deleted from (${ms} ms)`)]
    } finally {
      await blobs.close()
    }
  } catch (error) {
    return [failure('blobs', error instanceof Error ? error.message : String(error))]
  }
}

async function* probe(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(CONTENT)
}

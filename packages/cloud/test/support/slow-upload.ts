import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import type { LocalCloud } from './test-cloud.ts'

const BOUNDARY = 'boundary'

/** The path, field and first bytes of each kind of upload. */
const KINDS = {
  photo: { path: '/api/photos/upload', name: 'p.jpg', magic: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) },
  video: { path: '/api/videos/upload', name: 'v.mp4', magic: Buffer.from('....ftyp') },
} as const

export interface SlowUploadOptions {
  readonly kind?: keyof typeof KINDS
  /** Bytes that follow the first ones. */
  readonly bytes: number
  /** Whether the request announces its length. */
  readonly isAnnounced?: boolean
}

/** Starts an upload whose bytes the test sends. */
export function startUpload(
  { url }: LocalCloud,
  token: string,
  { kind = 'video', bytes, isAnnounced = true }: SlowUploadOptions,
) {
  const { path, name, magic } = KINDS[kind]
  const head = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="requestId"\r\n\r\nr1\r\n` +
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${kind}"; filename="${name}"\r\n\r\n`,
    ),
    magic,
  ])
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const request = httpRequest(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(isAnnounced ? { 'content-length': head.length + bytes + tail.length } : {}),
    },
  })
  request.on('error', () => {})
  request.write(head)
  return {
    request,
    /** The status of the response; 0 if there is none. */
    status: new Promise<number>((resolve) => {
      request.once('response', (response) => resolve(Number(response.resume().statusCode)))
      request.once('close', () => resolve(0))
    }),
    send: (count: number) =>
      new Promise<void>((resolve) => request.write(Buffer.alloc(count), () => resolve())),
    end: () => request.end(tail),
  }
}

/** The folder of the blobs of a cloud. */
export const blobsFolder = ({ env }: LocalCloud) => join(String(env.DATA_DIR), 'blobs')

/** The paths of all files in a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** The bytes of all files in a folder. */
export async function sizeOf(folder: string): Promise<number> {
  let total = 0
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found?.isFile()) total += found.size
  }
  return total
}

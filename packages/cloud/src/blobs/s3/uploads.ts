import { createHash, randomUUID } from 'node:crypto'
import { BlobTooLargeError } from '../blob-store.ts'
import type { S3Client } from './s3-client.ts'
import { ignoreMissing, S3Error } from './s3-error.ts'

/** Content of a part of an upload. */
export interface UploadPart {
  readonly content: Buffer
  /** SHA-256 of the content in hex. */
  readonly sha256: string
  readonly isLast: boolean
}

/**
 * Splits a source into parts of `partBytes`, of which the last may be shorter or empty. A part is yielded once the
 * source has ended or has delivered more, so that at most one part is in memory.
 * @throws BlobTooLargeError once the source exceeds `maxBytes`
 */
export async function* splitIntoParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<UploadPart> {
  let part = new PartBuilder()
  let total = 0
  for await (const chunk of source) {
    total += chunk.byteLength
    if (total > maxBytes) throw new BlobTooLargeError(maxBytes)
    let rest = chunk
    while (part.size + rest.byteLength > partBytes) {
      const length = partBytes - part.size
      part.add(rest.subarray(0, length))
      rest = rest.subarray(length)
      yield part.build(false)
      part = new PartBuilder()
    }
    part.add(rest)
  }
  yield part.build(true)
}

/** Collects chunks; hashing them one by one keeps each step short. */
class PartBuilder {
  readonly #chunks: Uint8Array[] = []
  readonly #hash = createHash('sha256')
  size = 0

  add(chunk: Uint8Array): void {
    if (chunk.byteLength === 0) return
    this.#chunks.push(chunk)
    this.#hash.update(chunk)
    this.size += chunk.byteLength
  }

  build(isLast: boolean): UploadPart {
    return { content: Buffer.concat(this.#chunks), sha256: this.#hash.digest('hex'), isLast }
  }
}

/** Metadata that identifies the upload an object came from. */
const UPLOAD_HEADER = 'x-amz-meta-upload'

/** An upload of one object in several parts, which becomes visible when it is completed. */
export class MultipartUpload {
  readonly #client: S3Client
  readonly #key: string
  readonly #id: string
  /** Identifies the upload in the metadata of the object. */
  readonly #mark: string
  readonly #etags: string[] = []

  private constructor(client: S3Client, key: string, id: string, mark: string) {
    this.#client = client
    this.#key = key
    this.#id = id
    this.#mark = mark
  }

  static async start(client: S3Client, key: string, signal?: AbortSignal): Promise<MultipartUpload> {
    const mark = randomUUID()
    const headers = { [UPLOAD_HEADER]: mark }
    const xml = await client.sendForXml({ method: 'POST', key, query: { uploads: '' }, headers, signal })
    return new MultipartUpload(client, key, xml.text('UploadId'), mark)
  }

  async add({ content, sha256 }: UploadPart, signal?: AbortSignal): Promise<void> {
    const partNumber = this.#etags.length + 1
    const headers = await this.#client.sendForHeaders({
      method: 'PUT',
      key: this.#key,
      query: { partNumber: String(partNumber), uploadId: this.#id },
      body: content,
      sha256,
      signal,
    })
    this.#etags.push(String(headers.etag))
  }

  /** Makes the object visible. @returns its etag */
  async complete(): Promise<string> {
    const parts = this.#etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    try {
      const request = { method: 'POST', key: this.#key, query: { uploadId: this.#id }, body } as const
      const xml = await this.#client.sendForXml(request)
      // S3 may report an error after it has responded 200.
      if (xml.name === 'Error' || xml.name === '') throw incomplete(xml.text('Code'), xml.text('Message'))
      return xml.text('ETag')
    } catch (error) {
      const etag = await this.#etagIfCompleted()
      if (etag === undefined) throw error
      return etag
    }
  }

  /** Deletes the uploaded parts. */
  async abort(): Promise<void> {
    await abortUpload(this.#client, this.#key, this.#id)
  }

  /** Returns the etag if the upload was completed although its response was lost. */
  async #etagIfCompleted(): Promise<string | undefined> {
    const head = this.#client.sendForHeaders({ method: 'HEAD', key: this.#key })
    const headers = await ignoreMissing(head)
    return headers?.[UPLOAD_HEADER] === this.#mark ? String(headers.etag) : undefined
  }
}

/** Deletes the parts of an upload; one that no longer exists is ignored. */
export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await ignoreMissing(client.sendForHeaders({ method: 'DELETE', key, query: { uploadId } }))
}

function incomplete(code: string, detail: string): S3Error {
  const message = `S3: the upload could not be completed (${code}${detail === '' ? '' : `: ${detail}`})`
  return new S3Error({ status: 500, code, message })
}

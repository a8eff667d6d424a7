import { randomBytes } from 'node:crypto'

/** A file of a multipart form. */
export interface FormFile {
  readonly field: string
  /** Letters, digits, dots and hyphens. */
  readonly filename: string
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Opens the file for reading; called once for each pass over the form. */
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** A multipart form with text fields and at most one file, which is streamed. */
export class MultipartForm {
  readonly contentType: string
  /** Bytes. */
  readonly length: number
  readonly #head: Buffer
  readonly #file: FormFile | undefined
  readonly #tail: Buffer

  /** @param fields text fields; names consist of letters */
  constructor(fields: Readonly<Record<string, string>>, file?: FormFile) {
    const boundary = `glasses-cloud-${randomBytes(16).toString('hex')}`
    const begin = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}`
    const texts = Object.entries(fields).map(
      ([name, value]) => `${begin(`name="${name}"`)}\r\n\r\n${value}\r\n`,
    )
    const header = file
      ? `${begin(`name="${file.field}"; filename="${file.filename}"`)}\r\ncontent-type: ${file.type}\r\n\r\n`
      : ''
    this.#head = Buffer.from(texts.join('') + header)
    this.#file = file
    this.#tail = Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`)
    this.contentType = `multipart/form-data; boundary=${boundary}`
    this.length = this.#head.length + (file?.size ?? 0) + this.#tail.length
  }

  /** Returns the bytes of the form; every pass yields the same bytes. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    yield this.#head
    if (this.#file) yield* await this.#file.open()
    yield this.#tail
  }
}

import { randomBytes } from 'node:crypto'

/** A file to be posted. */
export interface FormFile {
  readonly field: string
  /** Letters, digits, dots and hyphens. */
  readonly filename: string
  readonly type: string
  /** Bytes. */
  readonly size: number
  /** Opens it for reading; called once a pass. */
  open(): Promise<AsyncIterable<Uint8Array>>
}

/** A multipart form with one file, written piece by piece: the file is never held as a whole. */
export class Form {
  readonly contentType: string
  /** Bytes. */
  readonly length: number
  readonly #head: Buffer
  readonly #file: FormFile
  readonly #tail: Buffer

  /** @param fields names of letters; any values */
  constructor(fields: Readonly<Record<string, string>>, file: FormFile) {
    const boundary = `glasses-cloud-${randomBytes(16).toString('hex')}`
    const begin = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}`
    const texts = Object.entries(fields).map(
      ([name, value]) => `${begin(`name="${name}"`)}\r\n\r\n${value}\r\n`,
    )
    const { field, filename, type, size } = file
    const header = `${begin(`name="${field}"; filename="${filename}"`)}\r\ncontent-type: ${type}\r\n\r\n`
    this.#head = Buffer.from(texts.join('') + header)
    this.#file = file
    this.#tail = Buffer.from(`\r\n--${boundary}--\r\n`)
    this.contentType = `multipart/form-data; boundary=${boundary}`
    this.length = this.#head.length + size + this.#tail.length
  }

  /** The bytes of the form; the same at every pass. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    yield this.#head
    yield* await this.#file.open()
    yield this.#tail
  }
}

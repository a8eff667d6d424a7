import { readdir, readFile } from 'node:fs/promises'
import Negotiator from 'negotiator'

/** Content types by file extension; files of other types are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  webmanifest: 'application/manifest+json',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
}

/** Encodings of compressed copies in order of preference, with the extension of the copy. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Addresses of files in a page of the build: relative, while the page itself has many addresses. */
const RELATIVE_ADDRESS = /((?:href|src)=")(?:\.\.?\/)+/g

/** A file as it is sent. */
export interface ServedFile {
  readonly content: Buffer
  readonly contentType: string
  /** `Content-Encoding`; undefined if the file is not compressed. */
  readonly encoding: string | undefined
}

/**
 * The built files of the console. The folder is read once, so a path that was not built cannot be requested. Files whose
 * names have a hash stay in memory once they were requested, because requests for them are not limited: some megabytes.
 */
export class ConsoleFiles {
  readonly #indexUrl: URL
  readonly #basePath: () => string
  #names: Promise<ReadonlySet<string>> | undefined
  readonly #pages = new Map<string, Promise<string>>()
  readonly #contents = new Map<string, Buffer>()

  /**
   * @param indexUrl the built `index.html`; the other files are beside and below it
   * @param basePath returns the path below which they are served, without a trailing slash
   */
  constructor(indexUrl: URL, basePath: () => string) {
    this.#indexUrl = indexUrl
    this.#basePath = basePath
  }

  /**
   * A page, with `nonce` in the places that the build left for it, and addresses below the path of the cloud.
   * @param name of the file, below the folder of `index.html`
   * @throws {Error} with the code `ENOENT` if the console has not been built
   */
  async page(nonce: string, name = 'index.html'): Promise<string> {
    const page = this.#pages.get(name) ?? readFile(new URL(name, this.#indexUrl), 'utf8')
    this.#pages.set(name, page)
    try {
      return (await page)
        .replaceAll(RELATIVE_ADDRESS, (_, attribute) => `${attribute}${this.#basePath()}/`)
        .replaceAll('__CSP_NONCE__', nonce)
    } catch (error) {
      // The console may be built while the cloud runs.
      this.#pages.delete(name)
      throw error
    }
  }

  /**
   * Finds a file by its path below the folder, in the best encoding that the client accepts.
   * @param acceptEncoding the header `Accept-Encoding`
   */
  async find(path: string, acceptEncoding = ''): Promise<ServedFile | undefined> {
    this.#names ??= this.#list()
    const names = await this.#names
    const contentType = CONTENT_TYPES[path.slice(path.lastIndexOf('.') + 1)]
    if (contentType === undefined || !names.has(path)) return undefined
    const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }).encodings()
    const best = ENCODINGS.find(
      ([encoding, extension]) => accepted.includes(encoding) && names.has(path + extension),
    )
    const name = best === undefined ? path : path + best[1]
    return { content: await this.#read(name), contentType, encoding: best?.[0] }
  }

  async #read(name: string): Promise<Buffer> {
    const content = this.#contents.get(name) ?? (await readFile(new URL(name, this.#indexUrl)))
    if (name.startsWith('assets/')) this.#contents.set(name, content)
    return content
  }

  async #list(): Promise<ReadonlySet<string>> {
    const folder = new URL('.', this.#indexUrl)
    try {
      const entries = await readdir(folder, { recursive: true })
      return new Set(entries.map((entry) => entry.replaceAll('\\', '/')))
    } catch (error) {
      this.#names = undefined
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set()
      throw error
    }
  }
}

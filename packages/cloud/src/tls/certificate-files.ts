import type { Logger } from 'pino'
import { readTextFile } from '../config/index.ts'
import { PeriodicTask } from '../jobs/index.ts'
import type { Clock } from '../time/index.ts'
import {
  type CertificateSource,
  type CertificateStatus,
  checkKeyPair,
  InvalidKeyPairError,
  type KeyPair,
} from './key-pair.ts'

/**
 * Interval at which the files are read. Reading them finds every kind of change, also that of a link somewhere in their
 * path, which watching does not.
 */
export const RELOAD_MS = 5_000

/** The files of `TLS=files`. */
export interface CertificatePaths {
  readonly certFile: string
  readonly keyFile: string
}

interface CertificateFilesOptions extends CertificatePaths {
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Reads the files of a certificate and its key.
 * @throws InvalidKeyPairError if a file is missing, unreadable or invalid, or they do not belong together
 */
export async function readKeyPair({ certFile, keyFile }: CertificatePaths): Promise<KeyPair> {
  const [certificate, key] = await Promise.all([
    readPem('TLS_CERT_FILE', certFile),
    readPem('TLS_KEY_FILE', keyFile),
  ])
  checkKeyPair(
    { certificate, key },
    { certificate: `TLS_CERT_FILE ${certFile}`, key: `TLS_KEY_FILE ${keyFile}` },
  )
  return { certificate, key }
}

async function readPem(setting: string, path: string): Promise<string> {
  try {
    return await readTextFile(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new InvalidKeyPairError(`${setting} ${path} does not exist`)
    throw new InvalidKeyPairError(
      `${setting} ${path} cannot be read (${code}); make it readable for the account of this process`,
    )
  }
}

/** A certificate in files that another program renews. Invalid files leave the previous certificate in place. */
export class CertificateFiles implements CertificateSource {
  readonly #options: CertificateFilesOptions
  readonly #task: PeriodicTask
  readonly #listeners: (() => void)[] = []
  #current: KeyPair
  #failures = 0
  #problem: string | undefined

  private constructor(options: CertificateFilesOptions, current: KeyPair) {
    const { clock, log } = options
    this.#options = options
    this.#current = current
    this.#task = new PeriodicTask({
      clock,
      everyMs: RELOAD_MS,
      run: () => this.#reload(),
      failed: (err) => log.error({ err }, 'tls: the certificate could not be read'),
    })
  }

  /** @throws InvalidKeyPairError */
  static async open(options: CertificateFilesOptions): Promise<CertificateFiles> {
    return new CertificateFiles(options, await readKeyPair(options))
  }

  get current(): KeyPair {
    return this.#current
  }

  get status(): CertificateStatus {
    return { renewsAt: undefined, failures: this.#failures, problem: this.#problem }
  }

  onChange(changed: () => void): void {
    this.#listeners.push(changed)
  }

  start(): void {
    this.#task.start()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  async #reload(): Promise<void> {
    let pair: KeyPair
    try {
      pair = await readKeyPair(this.#options)
    } catch (error) {
      if (!(error instanceof InvalidKeyPairError)) throw error
      return this.#failed(error.message)
    }
    this.#failures = 0
    this.#problem = undefined
    if (pair.certificate === this.#current.certificate && pair.key === this.#current.key) return
    this.#current = pair
    for (const changed of this.#listeners) changed()
  }

  /** A file that is being written is invalid once; only what is still invalid at the next reading is a problem. */
  #failed(problem: string): void {
    this.#failures += 1
    if (this.#failures > 1 && this.#problem !== problem) {
      this.#problem = problem
      this.#options.log.error({ problem }, 'tls: the previous certificate stays in use')
    }
  }
}

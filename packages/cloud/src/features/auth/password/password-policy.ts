import { Worker } from 'node:worker_threads'
import type { PasswordOwner, PasswordReview } from '@glasses-cloud/contract/password-policy'
import { fault } from '../../../http/fault.ts'
import { WorkerFailedError, type WorkerMetrics, WorkerPool } from '../../../jobs/index.ts'
import type { PasswordToReview } from './password-worker.ts'

/** In a bundle the worker is a file of its own beside the chunks. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? 'password-worker.ts' : 'password-worker.mjs',
  import.meta.url,
)

/** As many as wait to be hashed. */
const MAX_WAITING = 200

/** A review takes a tenth of a second at worst, and the dictionaries a second to load. */
const REVIEW_TIMEOUT_MS = 20_000

/** Milliseconds until the dictionaries are unloaded. */
const IDLE_TIMEOUT_MS = 60_000

const REJECTIONS = {
  common: 'PASSWORD_COMMON',
  address: 'PASSWORD_CONTAINS_ADDRESS',
  guessable: 'PASSWORD_GUESSABLE',
} as const

/** What an endpoint that sets a password throws for a weak one. */
export const WEAK_PASSWORD_ERRORS = Object.values(REJECTIONS)

const never = new AbortController().signal

/** Rejects weak passwords (ADR 35). A worker thread judges them, which is started on demand and delays no other request. */
export class PasswordPolicy {
  readonly #pool = new WorkerPool<PasswordToReview, PasswordReview>({
    startWorker: () => new Worker(WORKER, { name: 'passwords', env: {} }),
    maxWorkers: 1,
    jobTimeoutMs: REVIEW_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  })

  constructor(workers?: Pick<WorkerMetrics, 'add'>) {
    workers?.add('passwords', this.#pool)
  }

  /** @throws Fault `PASSWORD_COMMON`, `PASSWORD_CONTAINS_ADDRESS`, `PASSWORD_GUESSABLE`, or `TOO_MANY_PASSWORDS` */
  async require(password: string, { email, name }: PasswordOwner): Promise<void> {
    if (this.#pool.jobs >= MAX_WAITING) throw fault('TOO_MANY_PASSWORDS')
    const { problem } = await this.#pool
      .run({ password, owner: { email, name } }, never)
      .catch((cause: unknown) => {
        throw cause instanceof WorkerFailedError ? fault('TOO_MANY_PASSWORDS', { cause }) : cause
      })
    if (problem !== undefined) throw fault(REJECTIONS[problem])
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

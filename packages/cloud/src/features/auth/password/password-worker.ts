import { parentPort } from 'node:worker_threads'
import { type PasswordOwner, reviewPassword } from '@glasses-cloud/contract/password-policy'

/** A password to judge. */
export interface PasswordToReview {
  readonly password: string
  readonly owner: PasswordOwner
}

/** A worker thread: receives a password and answers with its review. */
parentPort?.on('message', ({ password, owner }: PasswordToReview) => {
  parentPort?.postMessage(reviewPassword(password, owner))
})

import type { AppLogFields, AppRecorder } from '../session-host/index.ts'
import type { AdmittedApp } from './app-socket.ts'

/** Characters of a user session id that developers see. */
const SHOWN_ID_LENGTH = 8

/** Records what happens to an app socket, for the developers of the app. */
export class AppSocketRecorder {
  readonly #recorder: AppRecorder
  readonly #packageName: string
  readonly #session: string

  /** Records that the socket was opened and authenticated. */
  constructor(recorder: AppRecorder, { packageName, userSessionId }: AdmittedApp) {
    this.#recorder = recorder
    this.#packageName = packageName
    this.#session = userSessionId.slice(0, SHOWN_ID_LENGTH)
    this.#record({ level: 'info', kind: 'socket', event: 'opened' })
  }

  closed(code: number, message: string): void {
    this.#record({ level: 'info', kind: 'socket', event: 'closed', code, ...(message !== '' && { message }) })
  }

  /** Records a message of the app that was rejected. */
  rejected(code: string, message: string): void {
    this.#record({ level: 'error', kind: 'rejected', event: code, message })
  }

  #record(entry: AppLogFields): void {
    this.#recorder.record(this.#packageName, { ...entry, session: this.#session })
  }
}

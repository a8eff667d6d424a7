import { LazyMap } from '../session/index.ts'
import type { WebhookResponse } from '../webhooks/index.ts'
import type { AppRecorder } from './collaborators.ts'

/** Records what happens to the apps of one session, for their developers. */
export class SessionRecorder {
  readonly #recorder: AppRecorder
  readonly #userId: string
  readonly #session: string
  /** Calls of `session_request` since the app last ran or was stopped. */
  readonly #attempts = new LazyMap<string, number>()

  /** @param session the part of the user session id that may be shown */
  constructor(recorder: AppRecorder, userId: string, session: string) {
    this.#recorder = recorder
    this.#userId = userId
    this.#session = session
  }

  requested(packageName: string): void {
    this.#record(packageName, 'info', 'requested')
  }

  /** Records that an app is connected and stored as running. */
  started(packageName: string): void {
    this.#attempts.delete(packageName)
    const entry = { level: 'info', kind: 'start', event: 'running', session: this.#session } as const
    this.#recorder.started(packageName, this.#userId, entry)
  }

  stopped(packageName: string): void {
    this.#attempts.delete(packageName)
    this.#record(packageName, 'info', 'stopped')
  }

  /** Records a call of the app server. */
  called(
    packageName: string,
    type: 'session_request' | 'stop_request',
    response: WebhookResponse,
    durationMs: number,
  ): void {
    const attempt = type === 'session_request' ? (this.#attempts.get(packageName) ?? 0) + 1 : 1
    if (type === 'session_request') this.#attempts.set(packageName, attempt)
    else this.#attempts.delete(packageName)
    this.#recorder.record(packageName, {
      level: response.ok ? 'info' : 'error',
      kind: 'webhook',
      event: type,
      session: this.#session,
      attempt,
      durationMs,
      ...(response.status !== undefined && { status: response.status }),
      ...(!response.ok && { code: response.code, message: response.message }),
    })
  }

  /** Records the events of the session that concern an app. */
  event(event: string, fields: Readonly<Record<string, string | number | boolean>> = {}): void {
    const { packageName, stage, code } = fields
    if (typeof packageName !== 'string') return
    if (event === 'app_start_failed')
      this.#record(packageName, 'error', 'failed', { stage: String(stage), code: String(code) })
    else if (event === 'app_given_up') this.#record(packageName, 'error', 'given_up')
    else if (event === 'wake_word_unavailable')
      this.#recorder.record(packageName, {
        level: 'info',
        kind: 'wake_word',
        event: 'unavailable',
        message: String(fields.message),
        session: this.#session,
      })
    else if (event === 'permission_denied')
      this.#recorder.record(packageName, {
        level: 'error',
        kind: 'rejected',
        event: 'PERMISSION_DENIED',
        message: String(fields.message),
        session: this.#session,
      })
  }

  #record(packageName: string, level: 'info' | 'error', event: string, fields: object = {}): void {
    this.#recorder.record(packageName, { level, kind: 'start', event, session: this.#session, ...fields })
  }
}

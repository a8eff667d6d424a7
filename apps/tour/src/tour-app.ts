import { fileURLToPath } from 'node:url'
import {
  AppServer,
  type AppSession,
  type AppSettings,
  GIVE_APP_CONTROL_OF_TOOL_RESPONSE,
  type ToolCall,
} from '@mentra/sdk'
import { AppPages } from './app-pages.ts'
import { log } from './step.ts'
import { steps } from './steps/index.ts'
import { respondToMessages, Tour } from './tour.ts'

export interface TourAppOptions {
  readonly packageName: string
  readonly apiKey: string
  readonly port: number
  /** URL of the app for phones and the cloud. */
  readonly publicUrl: string
}

/** The hooks of an app server: start and stop of sessions, tool calls, settings, web pages and public files. */
export class TourApp extends AppServer {
  readonly #pages: AppPages
  readonly #publicUrl: string

  constructor({ packageName, apiKey, port, publicUrl }: TourAppOptions) {
    super({
      packageName,
      apiKey,
      port,
      healthCheck: true,
      publicDir: fileURLToPath(new URL('../public', import.meta.url)),
      cookieSecret: `cookies of ${apiKey}`,
      appInstructions: 'Press the button "next".',
    })
    this.#pages = new AppPages(this)
    this.#publicUrl = publicUrl
    this.addCleanupHandler(() => log('server stopping'))
    this.logger.info('tour initialized')
  }

  protected override async onSession(session: AppSession, sessionId: string): Promise<void> {
    session.logger.info({ sessionId }, 'session started')
    session.events.onConnected(() => log('reconnected'))
    session.events.onDisconnected(() => log('disconnected'))
    session.events.onError(({ message }) => log(`error: ${message}`))
    respondToMessages(session)
    new Tour({ session, pages: this.#pages, publicUrl: this.#publicUrl }, steps)
    session.layouts.showReferenceCard('Tour', 'Press the button “next” for the first step.')
    log(`ready, ${steps.length} steps: ${steps.map(({ name }) => name).join('; ')}`)
  }

  protected override async onStop(sessionId: string, userId: string, reason: string): Promise<void> {
    await super.onStop(sessionId, userId, reason)
    log(`session stopped: ${reason}`)
  }

  /** Called with or without an active session of the user. */
  protected override async onToolCall(call: ToolCall): Promise<string | undefined> {
    const { toolId, toolParameters, activeSession, userId } = call
    if (toolId !== 'show') return undefined
    activeSession?.layouts.showTextWall(String(toolParameters.text))
    this.#pages.emit('tool', userId)
    if (!activeSession) return 'The tour is not running.'
    // This constant of the SDK asks the assistant not to respond itself.
    return toolParameters.quietly ? GIVE_APP_CONTROL_OF_TOOL_RESPONSE : 'Shown on the display.'
  }

  /** Called by the SDK when settings change while the app is not running; missing in the SDK's types. */
  protected async onSettingsUpdate(_userId: string, settings: AppSettings): Promise<void> {
    log(`settings changed by webhook: ${settings.map(({ key }) => key).join(', ')}`)
  }
}

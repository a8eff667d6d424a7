import { fileURLToPath } from 'node:url'
import {
  AppServer,
  type AppSession,
  type AppSettings,
  GIVE_APP_CONTROL_OF_TOOL_RESPONSE,
  type ToolCall,
} from '@mentra/sdk'
import { log } from './log.ts'
import { steps } from './steps/index.ts'
import { keepCompany, Tour } from './tour.ts'
import { Visitors } from './visitors.ts'

/** What the app must know to serve. */
export interface TourAppOptions {
  readonly packageName: string
  readonly apiKey: string
  readonly port: number
  /** Where phones and the cloud reach it. */
  readonly publicUrl: string
}

/** The hooks of an app on the SDK: sessions that begin and end, tools, settings, pages and files of its own. */
export class TourApp extends AppServer {
  readonly #visitors: Visitors
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
    this.#visitors = new Visitors(this)
    this.#publicUrl = publicUrl
    this.addCleanupHandler(() => log('the server goes down'))
    this.logger.info('the tour is set up')
  }

  protected override async onSession(session: AppSession, sessionId: string): Promise<void> {
    session.logger.info({ sessionId }, 'a session of the tour begins')
    session.events.onConnected(() => log('connected again'))
    session.events.onDisconnected(() => log('disconnected'))
    session.events.onError(({ message }) => log(`trouble: ${message}`))
    keepCompany(session)
    new Tour({ session, visitors: this.#visitors, publicUrl: this.#publicUrl }, steps)
    session.layouts.showReferenceCard('Tour', 'Press the button “next” for the first step.')
    log(`ready, ${steps.length} steps: ${steps.map(({ name }) => name).join('; ')}`)
  }

  protected override async onStop(sessionId: string, userId: string, reason: string): Promise<void> {
    await super.onStop(sessionId, userId, reason)
    log(`session stopped: ${reason}`)
  }

  /** Tools are called whether or not there is a session with the user. */
  protected override async onToolCall(call: ToolCall): Promise<string | undefined> {
    const { toolId, toolParameters, activeSession, userId } = call
    if (toolId !== 'show') return undefined
    activeSession?.layouts.showTextWall(String(toolParameters.text))
    this.#visitors.emit('tool', userId)
    if (!activeSession) return 'The tour is not running.'
    // A constant of the SDK that asks the assistant to leave the answer to the app.
    return toolParameters.quietly ? GIVE_APP_CONTROL_OF_TOOL_RESPONSE : 'It is on the lens.'
  }

  /** The SDK calls this, though its types do not say so, when settings are saved while the app does not run. */
  protected async onSettingsUpdate(_userId: string, settings: AppSettings): Promise<void> {
    log(`settings came by web hook: ${settings.map(({ key }) => key).join(', ')}`)
  }
}

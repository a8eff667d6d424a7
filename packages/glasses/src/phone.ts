/** An app as the phone lists it for its wearer. */
export interface PhoneApp {
  readonly packageName: string
  readonly name: string
  readonly installed: boolean
  readonly running: boolean
}

/** A notification as it comes up on a phone. */
export interface PhoneNotification {
  readonly notificationId: string
  readonly app: string
  readonly title: string
  readonly content: string
  readonly priority?: 'low' | 'normal' | 'high'
}

/** An appointment as a phone's calendar holds it; moments are ISO 8601. */
export interface CalendarEvent {
  readonly id: string
  readonly title: string
  readonly startDate: string
  readonly endDate?: string
  readonly timeZone?: string
}

/** A call the cloud refused. */
export class PhoneError extends Error {
  override name = 'PhoneError'
  readonly status: number
  /** The answer's body, parsed where it is JSON. */
  readonly body: unknown

  constructor(status: number, message: string, body: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** No call of a phone waits longer than this for its answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 15_000

/** The phone's REST calls, in the name of its wearer. Each rejects with a `PhoneError` when the cloud refuses. */
export class Phone {
  readonly #base: URL
  readonly #token: string

  /**
   * @param url the cloud, for instance `http://127.0.0.1:8080`; a path of it stays in front of those of its interface
   * @param token a core token
   */
  constructor({ url, token }: { readonly url: string; readonly token: string }) {
    this.#base = new URL(url)
    this.#base.protocol = this.#base.protocol.replace(/^ws/, 'http')
    this.#base.pathname = this.#base.pathname.replace(/\/*$/, '/')
    this.#token = token
  }

  /** The apps the wearer may see. */
  async listApps(): Promise<PhoneApp[]> {
    const [visible, installed] = await Promise.all([
      this.#list('/api/apps'),
      this.#list('/api/apps/installed'),
    ])
    const installedNames = new Set(installed.map((app) => app.packageName))
    return visible.map((app) => ({
      packageName: String(app.packageName),
      name: String(app.name),
      installed: installedNames.has(app.packageName),
      running: app.is_running === true,
    }))
  }

  /** Installs an app; 400 when it is installed already. */
  install(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/install/${encodeURIComponent(packageName)}`)
  }

  uninstall(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/uninstall/${encodeURIComponent(packageName)}`)
  }

  /** Starts an app; resolves when it runs. Needs connected glasses. */
  startApp(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/${encodeURIComponent(packageName)}/start`)
  }

  stopApp(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/${encodeURIComponent(packageName)}/stop`)
  }

  /** Reports what changed of the glasses: `batteryLevel`, `wifiConnected` and so on. Needs connected glasses. */
  reportDeviceState(state: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.request('POST', '/api/client/device/state', state)
  }

  /** A notification comes up. Needs connected glasses. */
  sendNotification(notification: PhoneNotification): Promise<unknown> {
    return this.request('POST', '/api/client/notifications', notification)
  }

  /** The wearer wipes a notification away. Needs connected glasses. */
  dismissNotification(gone: {
    readonly notificationId: string
    readonly notificationKey: string
    readonly packageName: string
  }): Promise<unknown> {
    return this.request('POST', '/api/client/notifications/dismissed', gone)
  }

  /** Hands over the calendar. Needs connected glasses. */
  sendCalendar(events: readonly CalendarEvent[]): Promise<unknown> {
    return this.request('POST', '/api/client/calendar', { events })
  }

  /** Tells the cloud what time it is for the wearer: ISO 8601, with the wearer's own offset. Needs connected glasses. */
  sendDateTime(datetime: string): Promise<unknown> {
    return this.request('POST', '/api/user-data/set-datetime', { coreToken: this.#token, datetime })
  }

  /** Saves what the wearer chose among an app's settings. */
  updateAppSettings(packageName: string, values: Readonly<Record<string, unknown>>): Promise<unknown> {
    const changes = Object.entries(values).map(([key, value]) => ({ key, value }))
    return this.request('POST', `/appsettings/${encodeURIComponent(packageName)}`, changes)
  }

  /** Saves settings of the phone itself, which apps read as OS settings: `brightness` and so on. */
  updateSettings(settings: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.request('POST', '/api/client/user/settings', { settings })
  }

  /** Has an app use one of its tools, as an assistant on the phone does; answers what the app replied. */
  async callTool(
    packageName: string,
    toolId: string,
    toolParameters: Readonly<Record<string, string | number | boolean>>,
  ): Promise<unknown> {
    const path = `/api/tools/apps/${encodeURIComponent(packageName)}/tool`
    const answer = await this.request('POST', path, { toolId, toolParameters })
    return isRecord(answer) ? answer.reply : undefined
  }

  /**
   * Opens the web view of an app: with a temporary token, and with the address of the cloud and proof that the cloud
   * has the app's key (app socket protocol, 3.5).
   * @returns the answer of the app's server, whatever its status
   */
  async openWebView(packageName: string): Promise<Response> {
    const app = await this.request('GET', `/appsettings/${encodeURIComponent(packageName)}`)
    const webviewURL = isRecord(app) ? app.webviewURL : undefined
    if (typeof webviewURL !== 'string') throw new Error('The app has no web view')
    const cloudApiUrl = this.#base.href.replace(/\/$/, '')
    const [token, hash] = await Promise.all([
      this.request('POST', '/api/auth/generate-webview-token', { packageName }),
      this.request('POST', '/api/auth/hash-with-api-key', { packageName, stringToHash: cloudApiUrl }),
    ])
    const url = new URL(webviewURL)
    url.searchParams.set('aos_temp_token', String(isRecord(token) && token.token))
    url.searchParams.set('cloudApiUrl', cloudApiUrl)
    url.searchParams.set('cloudApiUrlChecksum', String(isRecord(hash) && hash.hash))
    return fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  }

  async #list(path: string): Promise<Record<string, unknown>[]> {
    const answer = await this.request('GET', path)
    return isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : []
  }

  /** Any other call; answers the body, parsed where it is JSON. */
  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path.replace(/^\//, ''), this.#base), {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    const parsed = parseJson(text)
    if (!response.ok)
      throw new PhoneError(response.status, errorMessage(parsed) ?? `Status ${response.status}`, parsed)
    return parsed
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The sentence in any of the three styles of an error answer. */
function errorMessage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const said = body.message ?? body.error
  if (typeof said !== 'string') return undefined
  // Where the start of an app failed stands beside the sentence, and is what its author must know.
  const { stage, code } = isRecord(body.error) ? body.error : {}
  return typeof stage === 'string' && typeof code === 'string' ? `${said} (${stage}, ${code})` : said
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

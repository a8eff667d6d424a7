const CLOUD_URL = /^(?:http|ws)(s?):\/\/([^\s/?#][^\s?#]*?)\/*$/i

/**
 * Returns an address of the cloud. Bare JavaScript engines have no `URL`.
 * @param url of the cloud: `http`, `https`, `ws` or `wss`, with a path or without
 * @param path appended to the path of the URL; begins with a slash
 * @throws {Error} if the URL is not one of a cloud
 */
export function cloudUrl(url: string, scheme: 'http' | 'ws', path: string): string {
  const [, secure, location] = CLOUD_URL.exec(url) ?? []
  if (location === undefined)
    throw new Error('The URL of the cloud is invalid; it begins with http:// or https://')
  return `${scheme}${secure?.toLowerCase()}://${location}${path}`
}

/** An app as the phone lists it for its user. */
export interface PhoneApp {
  readonly packageName: string
  readonly name: string
  readonly installed: boolean
  readonly running: boolean
}

/** A notification on the phone. */
export interface PhoneNotification {
  readonly notificationId: string
  readonly app: string
  readonly title: string
  readonly content: string
  readonly priority?: 'low' | 'normal' | 'high'
}

/** An event of the phone's calendar; times are ISO 8601. */
export interface CalendarEvent {
  readonly id: string
  readonly title: string
  readonly startDate: string
  readonly endDate?: string
  readonly timeZone?: string
}

/** An error response of the cloud. */
export class PhoneError extends Error {
  override name = 'PhoneError'
  readonly status: number
  /** The response body, parsed if it is JSON. */
  readonly body: unknown

  constructor(status: number, message: string, body: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

export interface PhoneApiOptions {
  readonly url: string
  readonly token: string
  readonly credentials?: 'token' | 'cookie'
}

const REQUEST_TIMEOUT_MS = 30_000

/** REST client of the phone, authenticated as its user. Every method rejects with a `PhoneError` on an error response. */
export class PhoneApi {
  /** Without a slash at the end. */
  readonly #base: string
  readonly #token: string | undefined

  /**
   * @param url URL of the cloud, for instance `http://127.0.0.1:8080`; paths are appended to its path
   * @param token a core token; not sent if `credentials` is `cookie`
   * @param credentials `cookie` relies on the session cookie of a browser
   */
  constructor({ url, token, credentials = 'token' }: PhoneApiOptions) {
    this.#base = cloudUrl(url, 'http', '')
    this.#token = credentials === 'token' ? token : undefined
  }

  /** Lists the apps visible to the user. */
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

  /** Installs an app; status 400 if it is already installed. */
  install(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/install/${encodeURIComponent(packageName)}`)
  }

  uninstall(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/uninstall/${encodeURIComponent(packageName)}`)
  }

  /** Starts an app; resolves when it is running. Requires connected glasses. */
  startApp(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/${encodeURIComponent(packageName)}/start`)
  }

  stopApp(packageName: string): Promise<unknown> {
    return this.request('POST', `/api/apps/${encodeURIComponent(packageName)}/stop`)
  }

  /** Reports changed fields of the device state: `batteryLevel`, `wifiConnected` and so on. Requires connected glasses. */
  reportDeviceState(state: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.request('POST', '/api/client/device/state', state)
  }

  /**
   * Reports a button press of the glasses. Requires connected glasses.
   * @returns the id of the photo that the glasses are to take; undefined if an app handles the press
   */
  async pressButton(buttonId: string, pressType: 'short' | 'long'): Promise<string | undefined> {
    const response = await this.request('POST', '/api/hardware/button-press', { buttonId, pressType })
    if (!isRecord(response) || response.action !== 'take_photo') return undefined
    return typeof response.requestId === 'string' ? response.requestId : undefined
  }

  /** Uploads a photo of the user's own to the gallery. @param requestId of the button press, or any unique id */
  async uploadPhoto(requestId: string, jpeg: Uint8Array<ArrayBuffer>): Promise<void> {
    const form = new FormData()
    form.set('requestId', requestId)
    form.set('photo', new Blob([jpeg], { type: 'image/jpeg' }), `${requestId}.jpg`)
    await this.request('POST', '/api/photos/upload', form)
  }

  /** Reports a notification. Requires connected glasses. */
  sendNotification(notification: PhoneNotification): Promise<unknown> {
    return this.request('POST', '/api/client/notifications', notification)
  }

  /** Reports that the user dismissed a notification. Requires connected glasses. */
  dismissNotification(notification: {
    readonly notificationId: string
    readonly notificationKey: string
    readonly packageName: string
  }): Promise<unknown> {
    return this.request('POST', '/api/client/notifications/dismissed', notification)
  }

  /** Sends the calendar. Requires connected glasses. */
  sendCalendar(events: readonly CalendarEvent[]): Promise<unknown> {
    return this.request('POST', '/api/client/calendar', { events })
  }

  /** Sends the local time of the user, as ISO 8601 with offset. Requires connected glasses. */
  sendDateTime(datetime: string): Promise<unknown> {
    return this.request('POST', '/api/user-data/set-datetime', { coreToken: this.#token, datetime })
  }

  /** Changes settings of an app. */
  updateAppSettings(packageName: string, values: Readonly<Record<string, unknown>>): Promise<unknown> {
    const changes = Object.entries(values).map(([key, value]) => ({ key, value }))
    return this.request('POST', `/appsettings/${encodeURIComponent(packageName)}`, changes)
  }

  /** Changes settings of the phone, which apps read as OS settings: `brightness` and so on. */
  updateSettings(settings: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.request('POST', '/api/client/user/settings', { settings })
  }

  /** Calls a tool of an app, as an assistant on the phone does. Returns the reply of the app. */
  async callTool(
    packageName: string,
    toolId: string,
    toolParameters: Readonly<Record<string, string | number | boolean>>,
  ): Promise<unknown> {
    const path = `/api/tools/apps/${encodeURIComponent(packageName)}/tool`
    const response = await this.request('POST', path, { toolId, toolParameters })
    return isRecord(response) ? response.reply : undefined
  }

  /**
   * Opens the web view of an app with a temporary token, the URL of the cloud, and the cloud's proof that it has the
   * app's API key (app-socket.md §3.5).
   * @returns the response of the app server, with any status
   */
  async openWebView(packageName: string): Promise<Response> {
    const app = await this.request('GET', `/appsettings/${encodeURIComponent(packageName)}`)
    const webviewURL = isRecord(app) ? app.webviewURL : undefined
    if (typeof webviewURL !== 'string') throw new Error('The app has no web view')
    const cloudApiUrl = this.#base
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
    const response = await this.request('GET', path)
    return isRecord(response) && Array.isArray(response.data) ? response.data.filter(isRecord) : []
  }

  /** Sends any other request, with JSON or a form. Returns the response body, parsed if it is JSON. */
  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    // A bare JavaScript engine has no forms.
    const form = typeof FormData !== 'undefined' && body instanceof FormData ? body : undefined
    const isJson = body !== undefined && form === undefined
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(isJson && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: form ?? JSON.stringify(body) }),
      ...(typeof AbortSignal !== 'undefined' && { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
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

/** The message in any of the three styles of error responses. */
function errorMessage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const message = body.message ?? body.error
  if (typeof message !== 'string') return undefined
  // For a failed app start the error object has the stage and the code.
  const { stage, code } = isRecord(body.error) ? body.error : {}
  return typeof stage === 'string' && typeof code === 'string' ? `${message} (${stage}, ${code})` : message
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An app as the phone lists it for its wearer. */
export interface PhoneApp {
  readonly packageName: string
  readonly name: string
  readonly installed: boolean
  readonly running: boolean
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
const CALL_TIMEOUT_MS = 15_000

/** The phone's REST calls, in the name of its wearer. Each rejects with a `PhoneError` when the cloud refuses. */
export class Phone {
  readonly #base: URL
  readonly #token: string

  /**
   * @param url the cloud, for instance `http://127.0.0.1:8080`
   * @param token a core token
   */
  constructor({ url, token }: { readonly url: string; readonly token: string }) {
    this.#base = new URL(url)
    this.#base.protocol = this.#base.protocol.replace(/^ws/, 'http')
    this.#token = token
  }

  /** The apps the wearer may see. */
  async apps(): Promise<PhoneApp[]> {
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
    return this.call('POST', `/api/apps/install/${encodeURIComponent(packageName)}`)
  }

  uninstall(packageName: string): Promise<unknown> {
    return this.call('POST', `/api/apps/uninstall/${encodeURIComponent(packageName)}`)
  }

  /** Starts an app; resolves when it runs. Needs connected glasses. */
  startApp(packageName: string): Promise<unknown> {
    return this.call('POST', `/api/apps/${encodeURIComponent(packageName)}/start`)
  }

  stopApp(packageName: string): Promise<unknown> {
    return this.call('POST', `/api/apps/${encodeURIComponent(packageName)}/stop`)
  }

  async #list(path: string): Promise<Record<string, unknown>[]> {
    const answer = await this.call('GET', path)
    return isRecord(answer) && Array.isArray(answer.data) ? answer.data.filter(isRecord) : []
  }

  /** Any other call; answers the body, parsed where it is JSON. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path, this.#base), {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    const text = await response.text()
    const parsed = json(text)
    if (!response.ok)
      throw new PhoneError(response.status, reason(parsed) ?? `Status ${response.status}`, parsed)
    return parsed
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The sentence in any of the three styles of an error answer. */
function reason(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined
  const said = body.message ?? body.error
  return typeof said === 'string' ? said : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

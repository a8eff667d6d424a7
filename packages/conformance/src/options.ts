import { parseArgs } from 'node:util'

/** Formats of the report. */
export const FORMATS = ['text', 'json', 'junit'] as const

/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number]

/** The app that the kit plays. */
export interface AppOptions {
  readonly packageName: string
  readonly apiKey: string
  /** Where the cloud reaches the kit. */
  readonly url: string
  /** Port that the kit listens on. */
  readonly port: number
}

/** What is checked, and how it is reported. */
export interface Options {
  readonly url: string
  /** Core token of the user on whose account the checks run. */
  readonly token: string
  readonly app: AppOptions | undefined
  /** Also runs checks that leave something for a while. */
  readonly lasting: boolean
  /** Only checks whose id starts with one of these; all if empty. */
  readonly only: readonly string[]
  /** Deadline of each check. */
  readonly deadlineMs: number
  /** Maximum time to an acknowledgement. */
  readonly maxAckMs: number
  readonly format: Format
  /** File of the report; standard output if undefined. */
  readonly output: string | undefined
}

export const USAGE = `Usage: npm run -s conformance -- --url URL --token TOKEN [OPTION]...

  --url URL            the cloud, https:// or http://
  --token TOKEN        core token of an account for this purpose; its glasses are disconnected
  --app-package NAME   an app registered at the cloud whose server is the kit …
  --app-key KEY        … its API key …
  --app-url URL        … and its public URL, where the cloud reaches the kit
  --app-port PORT      port to listen on, if it is not that of --app-url
  --lasting            also run checks that leave something: a data export, a used-up rate limit
  --only PREFIX        only checks whose id starts with PREFIX; may be repeated
  --deadline SECONDS   of each check (20)
  --max-ack-ms MS      maximum time to an acknowledgement (5000)
  --format FORMAT      text (default), json or junit
  --output FILE        where to write the report; standard output by default
  --list               list the checks, their sources and what they change

Exit code: 0 all checks passed or were skipped, 1 a check failed, 2 the kit could not run.`

/**
 * Parses the command line.
 * @returns `list` or `help` for these commands
 * @throws {Error} if the arguments are incomplete or invalid
 */
export function parseOptions(args: readonly string[]): Options | 'list' | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      'app-package': { type: 'string' },
      'app-key': { type: 'string' },
      'app-url': { type: 'string' },
      'app-port': { type: 'string' },
      lasting: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      deadline: { type: 'string', default: '20' },
      'max-ack-ms': { type: 'string', default: '5000' },
      format: { type: 'string', default: 'text' },
      output: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  if (values.list) return 'list'
  const { url, token, lasting, only, output } = values
  if (url === undefined || token === undefined) throw new Error('--url and --token are required.')
  httpUrl('--url', url)
  const format = FORMATS.find((known) => known === values.format)
  if (format === undefined) throw new Error(`--format must be one of ${FORMATS.join(', ')}.`)
  return {
    url,
    token,
    app: parseApp(values),
    lasting,
    only,
    deadlineMs: positive('--deadline', values.deadline) * 1000,
    maxAckMs: positive('--max-ack-ms', values['max-ack-ms']),
    format,
    output,
  }
}

function parseApp(values: Readonly<Record<string, unknown>>): AppOptions | undefined {
  const names = ['app-package', 'app-key', 'app-url'] as const
  const [packageName, apiKey, url] = names.map((name) => values[name])
  if (packageName === undefined && apiKey === undefined && url === undefined) return undefined
  if (typeof packageName !== 'string' || typeof apiKey !== 'string' || typeof url !== 'string')
    throw new Error('--app-package, --app-key and --app-url belong together.')
  const { port, protocol } = httpUrl('--app-url', url)
  const fallback = port || (protocol === 'https:' ? '443' : '80')
  const listening = positive('--app-port', String(values['app-port'] ?? fallback))
  if (!Number.isInteger(listening) || listening > 65_535) throw new Error('--app-port must be a port.')
  return { packageName, apiKey, url, port: listening }
}

function httpUrl(name: string, text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`${name} must be an http:// or https:// URL.`)
  return url
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`${name} must be a positive number.`)
  return value
}

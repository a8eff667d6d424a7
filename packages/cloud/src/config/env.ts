import { apiBase } from './api-address.ts'
import type { SettingName } from './settings/index.ts'
import { encodeStrayPercents } from './url-credentials.ts'

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** Invalid settings; each problem is a sentence that names the variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads typed values from the environment. An invalid value is recorded and replaced by the default, so that
 * `throwIfInvalid` reports all problems together. An empty value counts as unset, except in lists, where it is the
 * empty list.
 */
export class EnvReader {
  readonly #env: Env
  readonly #problems: string[] = []
  readonly #values = new Map<SettingName, unknown>()

  constructor(env: Env) {
    this.#env = env
  }

  text<Fallback extends string | undefined>(name: SettingName, fallback: Fallback): string | Fallback {
    return this.#keep(name, this.#value(name) ?? fallback)
  }

  /** Reads a value that another setting requires; `what` completes the sentence "NAME must be …". */
  required(name: SettingName, what: string): string {
    const value = this.#value(name)
    if (value === undefined) this.#problem(name, `must be ${what}`)
    return this.#keep(name, value ?? '')
  }

  /** Reads a value that must match a pattern; `what` completes the sentence "NAME must be …". */
  match(name: SettingName, fallback: string, pattern: RegExp, what: string): string {
    const value = this.#value(name)
    if (value === undefined || pattern.test(value)) return this.#keep(name, value ?? fallback)
    this.#problem(name, `must be ${what} (got "${value}")`)
    return fallback
  }

  /** Reads a secret with a minimum length; the value never appears in a problem. */
  secret(name: SettingName, minLength: number): string | undefined {
    const value = this.#value(name)
    if (value === undefined || value.length >= minLength) return this.#keep(name, value)
    this.#problem(name, `must have at least ${minLength} characters; "openssl rand -hex 32" generates one`)
    return undefined
  }

  integer(
    name: SettingName,
    fallback: number,
    bounds: { readonly min: number; readonly max: number },
  ): number {
    const text = this.#value(name)
    if (text === undefined) return this.#keep(name, fallback)
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= bounds.min && value <= bounds.max) return this.#keep(name, value)
    this.#problem(name, `must be an integer from ${bounds.min} to ${bounds.max} (got "${text}")`)
    return fallback
  }

  flag<Fallback extends boolean | undefined>(name: SettingName, fallback: Fallback): boolean | Fallback {
    const value = this.#value(name)
    if (value === undefined) return this.#keep(name, fallback)
    if (value === 'true' || value === 'false') return this.#keep(name, value === 'true')
    this.#problem(name, `must be true or false (got "${value}")`)
    return fallback
  }

  oneOf<const Choice extends string, Fallback extends Choice | undefined>(
    name: SettingName,
    choices: readonly Choice[],
    fallback: Fallback,
  ): Choice | Fallback {
    const value = this.#value(name)
    if (value === undefined) return this.#keep(name, fallback)
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) this.#problem(name, `must be one of ${choices.join(', ')} (got "${value}")`)
    return this.#keep(name, choice ?? fallback)
  }

  /** Reads a comma-separated list; `what` completes the sentence "NAME must be a comma-separated list of …". */
  list(
    name: SettingName,
    fallback: readonly string[],
    pattern: Pick<RegExp, 'test'>,
    what: string,
  ): readonly string[] {
    const value = this.#text(name)
    if (value === undefined) return this.#keep(name, fallback)
    const entries = value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    const invalid = entries.find((entry) => !pattern.test(entry))
    if (invalid === undefined) return this.#keep(name, [...new Set(entries)])
    this.#problem(name, `must be a comma-separated list of ${what} (got "${invalid}")`)
    return fallback
  }

  /** Reads an absolute URL. The value never appears in a problem, since it may contain a password. */
  url(name: SettingName, schemes: readonly string[], example: string): URL | undefined {
    const value = this.#value(name)
    if (value === undefined) return this.#keep(name, undefined)
    const url = parseUrl(value, schemes)
    if (url === undefined) this.#problem(name, `must be a URL such as ${example}`)
    return this.#keep(name, url)
  }

  /** Reads the base of an API over HTTP; see {@link apiBase}. */
  apiBase(name: SettingName, endpoint: string, example: string): URL | undefined {
    const url = this.url(name, ['http', 'https'], example)
    return url && apiBase(url, endpoint)
  }

  /** Reads the URL of a PostgreSQL database. Its server may be named by the parameter `host`, such as the folder of a socket. */
  postgresUrl(name: SettingName): string | undefined {
    const value = this.#value(name)
    if (value === undefined) return this.#keep(name, undefined)
    // For browsers, a user needs a host. The parameter takes precedence over it.
    const url = URL.parse(value.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/i, '$1localhost'))
    const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:'
    if (isPostgres && (URL.parse(value)?.hostname || url.searchParams.get('host')))
      return this.#keep(name, url.href)
    this.#problem(name, 'must be a URL such as postgres://user:password@host:5432/name')
    return this.#keep(name, undefined)
  }

  /** Reads a comma-separated list of absolute URLs. The values never appear in a problem. */
  urls(name: SettingName, schemes: readonly string[], example: string): readonly URL[] {
    const entries = (this.#value(name) ?? '').split(',').map((entry) => entry.trim())
    const urls = entries.filter((entry) => entry !== '').map((entry) => parseUrl(entry, schemes))
    if (!urls.includes(undefined)) return this.#keep(name, urls as URL[])
    this.#problem(name, `must be a URL such as ${example}`)
    return []
  }

  /** Reads a comma-separated list of origins in the form in which browsers send them. */
  origins(name: SettingName): readonly string[] {
    const isOrigin = { test: (entry: string) => /^https?:/.test(entry) && URL.parse(entry)?.origin === entry }
    return this.list(name, [], isOrigin, 'origins such as https://store.example.org, without a path')
  }

  /** Records that a value is invalid together with others; `sentence` completes "NAME …". */
  reject(name: SettingName, sentence: string): void {
    this.#problem(name, sentence)
  }

  /** Reads JSON. The value never appears in a problem, since it may contain secrets. */
  json(name: SettingName): unknown {
    const value = this.#value(name)
    if (value === undefined) return this.#keep(name, undefined)
    try {
      return this.#keep(name, JSON.parse(value))
    } catch {
      this.#problem(name, 'must be valid JSON')
      return undefined
    }
  }

  /** The values that were read, defaults included, by name. */
  get values(): ReadonlyMap<SettingName, unknown> {
    return this.#values
  }

  /** @throws ConfigError if any value was invalid */
  throwIfInvalid(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems)
  }

  /** Keeps the first reading of a setting; later ones only ask whether it is set. */
  #keep<Value>(name: SettingName, value: Value): Value {
    if (!this.#values.has(name)) this.#values.set(name, value)
    return value
  }

  #value(name: SettingName): string | undefined {
    return this.#text(name) || undefined
  }

  /** Without the quotation marks that Docker leaves around a value of its `--env-file`. */
  #text(name: SettingName): string | undefined {
    return this.#env[name]?.trim().replace(QUOTED, '$1$2$3$4')
  }

  #problem(name: SettingName, sentence: string): void {
    this.#problems.push(`${name} ${sentence}.`)
  }
}

/** A whole value in quotation marks, also those of word processors. */
const QUOTED = /^(?:"(.*)"|'(.*)'|[“”„](.*)[“”]|[‘’](.*)[‘’])$/s

function parseUrl(value: string, schemes: readonly string[]): URL | undefined {
  const url = URL.parse(value)
  if (url === null || !schemes.includes(url.protocol.slice(0, -1)) || url.hostname === '') return undefined
  url.username = encodeStrayPercents(url.username)
  url.password = encodeStrayPercents(url.password)
  return url
}

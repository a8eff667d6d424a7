/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** Wrong settings, each in a sentence that says what to do. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Typed reads of the environment. A wrong value is noted and the default used in its place, so that `done` can
 * report all of them at once. An empty value counts as absent, except for lists, where it is the empty list.
 */
export class EnvReader {
  readonly #env: Env
  readonly #problems: string[] = []

  constructor(env: Env) {
    this.#env = env
  }

  /** Text as it stands. */
  text<Fallback extends string | undefined>(name: string, fallback: Fallback): string | Fallback {
    return this.#given(name) ?? fallback
  }

  /** Text that another setting makes necessary; `what` says in the sentence about a missing one what it is. */
  required(name: string, what: string): string {
    const given = this.#given(name)
    if (given === undefined) this.#wrong(name, `must be ${what}`)
    return given ?? ''
  }

  /** Text of a form; `what` says in a wrong value's sentence what it must be. */
  word(name: string, fallback: string, form: RegExp, what: string): string {
    const given = this.#given(name)
    if (given === undefined || form.test(given)) return given ?? fallback
    this.#wrong(name, `must be ${what}, not "${given}"`)
    return fallback
  }

  /** Text of at least so many characters; the value itself is never repeated. */
  secret(name: string, minLength: number): string | undefined {
    const given = this.#given(name)
    if (given === undefined || given.length >= minLength) return given
    this.#wrong(name, `must have at least ${minLength} characters; "openssl rand -hex 32" makes one`)
    return undefined
  }

  /** A whole number within bounds. */
  integer(name: string, fallback: number, bounds: { readonly min: number; readonly max: number }): number {
    const given = this.#given(name)
    if (given === undefined) return fallback
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    if (value >= bounds.min && value <= bounds.max) return value
    this.#wrong(name, `must be a whole number from ${bounds.min} to ${bounds.max}, not "${given}"`)
    return fallback
  }

  /** `true` or `false`. */
  flag<Fallback extends boolean | undefined>(name: string, fallback: Fallback): boolean | Fallback {
    const given = this.#given(name)
    if (given === undefined) return fallback
    if (given === 'true' || given === 'false') return given === 'true'
    this.#wrong(name, `must be "true" or "false", not "${given}"`)
    return fallback
  }

  /** One of the listed words. */
  oneOf<const Word extends string, Fallback extends Word | undefined>(
    name: string,
    words: readonly Word[],
    fallback: Fallback,
  ): Word | Fallback {
    const given = this.#given(name)
    if (given === undefined) return fallback
    const found = words.find((word) => word === given)
    if (found === undefined) this.#wrong(name, `must be one of ${words.join(', ')}, not "${given}"`)
    return found ?? fallback
  }

  /** Words separated by commas. `what` says in a wrong value's sentence what each must be. */
  list(name: string, fallback: readonly string[], word: RegExp, what: string): readonly string[] {
    const given = this.#env[name]
    if (given === undefined) return fallback
    const words = given
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    const odd = words.find((part) => !word.test(part))
    if (odd === undefined) return [...new Set(words)]
    this.#wrong(name, `must be ${what}, separated by commas; "${odd}" is none`)
    return fallback
  }

  /** An absolute address with one of the schemes. The value is not repeated: it may hold a password. */
  url(name: string, schemes: readonly string[], example: string): URL | undefined {
    const given = this.#given(name)
    if (given === undefined) return undefined
    const url = URL.parse(given)
    if (url !== null && schemes.includes(url.protocol.slice(0, -1)) && url.hostname !== '') return url
    this.#wrong(name, `must be an address like ${example}`)
    return undefined
  }

  /** Ends the reading. @throws ConfigError if any value was wrong */
  done(): void {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems)
  }

  #given(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  #wrong(name: string, sentence: string): void {
    this.#problems.push(`${name} ${sentence}.`)
  }
}

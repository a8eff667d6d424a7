import type { FastifyBaseLogger } from 'fastify'

type Fields = Readonly<Record<string, unknown>>
type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/**
 * The logger of a request, which adds the fields that identify the request to each line. A child logger of pino would
 * serialize and redact them when it is created, for every request and even without a line.
 */
export class RequestLogger {
  readonly #log: FastifyBaseLogger
  readonly #fields: Fields

  constructor(log: FastifyBaseLogger, fields: Fields) {
    this.#log = log
    this.#fields = fields
  }

  get level(): string {
    return this.#log.level
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line)
  }

  error(...line: unknown[]): void {
    this.#write('error', line)
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line)
  }

  info(...line: unknown[]): void {
    this.#write('info', line)
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line)
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line)
  }

  silent(): void {}

  child(fields: Fields, options?: Parameters<FastifyBaseLogger['child']>[1]): FastifyBaseLogger {
    return this.#log.child({ ...this.#fields, ...fields }, options)
  }

  /** Accepts what pino does: fields or an error, then a message; or a message alone. */
  #write(level: Level, [first, ...rest]: unknown[]): void {
    const fields = first instanceof Error ? { err: first } : first
    if (typeof fields === 'object') this.#log[level]({ ...this.#fields, ...fields }, ...(rest as [string]))
    else this.#log[level](this.#fields, ...([first, ...rest] as [string]))
  }
}

import { constants, open } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Clock } from '../time/index.ts'

/** A message with a link for the recipient. */
export interface LinkMail {
  readonly to: string
  readonly subject: string
  /** Sentences before the link. */
  readonly text: string
  readonly link: string
}

/** Sends mail. */
export interface Mailer {
  /** Whether messages reach their recipients; otherwise the operator finds them in `MAIL_FILE` or the log. */
  readonly reachesRecipients: boolean
  /** Sends a message in the background; failures are logged. */
  send(mail: LinkMail): void
  /** Resolves when all messages have been sent or have failed. */
  idle(): Promise<void>
  close(): Promise<void>
}

export interface MailerOptions {
  /** Undefined: messages are written to `file` or the log, for the operator. */
  readonly smtpUrl: string | undefined
  /** The file to which messages are appended without `smtpUrl`; undefined: the log. */
  readonly file: string | undefined
  readonly from: string
  readonly log: Logger
  readonly clock: Clock
}

/** Messages that may be waiting or in progress; more are refused. */
const MAX_PENDING = 200

/**
 * Milliseconds between the attempts to send a message: servers that do not know the sender refuse mail for the first
 * minutes, and some links are valid for an hour.
 */
export const RETRY_DELAYS_MS: readonly number[] = [1, 30, 2 * 60, 5 * 60, 15 * 60, 30 * 60].map(
  (s) => s * 1000,
)

/** Time limits of a connection to the mail server. */
const TIMEOUT_MS = 10_000

/** Creates a mailer that sends by SMTP or, if no server is configured, writes to a file or the log. */
export function createMailer(options: MailerOptions): Mailer {
  if (options.smtpUrl !== undefined) return new SmtpMailer(options.smtpUrl, options)
  return options.file === undefined ? new LogMailer(options.log) : new FileMailer(options.file, options.log)
}

/** Readable by the user of the server only. */
const PRIVATE_MODE = 0o600

/** Appends messages to a file, each as a line of JSON. */
class FileMailer implements Mailer {
  readonly reachesRecipients = false
  readonly #path: string
  readonly #log: Logger
  #writing = Promise.resolve()

  constructor(path: string, log: Logger) {
    this.#path = path
    this.#log = log
  }

  send({ to, subject, text, link }: LinkMail): void {
    const line = JSON.stringify({ at: new Date().toISOString(), to, subject, text, link })
    this.#writing = this.#writing
      .then(() => this.#append(`${line}\n`))
      .catch((err: unknown) => {
        this.#log.error({ err }, 'mail: a message could not be written to MAIL_FILE')
      })
  }

  async idle(): Promise<void> {
    await this.#writing
  }

  async close(): Promise<void> {
    await this.#writing
  }

  async #append(line: string): Promise<void> {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
    const file = await open(this.#path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, PRIVATE_MODE)
    try {
      // Somebody else may have created it, with another mode.
      await file.chmod(PRIVATE_MODE)
      await file.appendFile(line)
    } finally {
      await file.close()
    }
  }
}

class LogMailer implements Mailer {
  readonly reachesRecipients = false
  readonly #log: Logger

  constructor(log: Logger) {
    this.#log = log
  }

  send({ to, subject, link }: LinkMail): void {
    this.#log.warn(
      { to, link },
      `mail: SMTP_URL and MAIL_FILE are not set; give this link to the recipient: ${subject}`,
    )
  }

  async idle(): Promise<void> {}

  async close(): Promise<void> {}
}

class SmtpMailer implements Mailer {
  readonly reachesRecipients = true
  readonly #url: string
  readonly #from: string
  readonly #log: Logger
  readonly #clock: Clock
  readonly #pending = new Set<Promise<void>>()
  /** Each ends the wait of a message for its next attempt. */
  readonly #waiting = new Set<() => void>()
  #isClosing = false
  #transport: ReturnType<typeof connect> | undefined

  constructor(url: string, { clock, from, log }: Omit<MailerOptions, 'smtpUrl'>) {
    this.#url = url
    this.#clock = clock
    this.#from = from
    this.#log = log
  }

  send(mail: LinkMail): void {
    if (this.#pending.size >= MAX_PENDING) {
      this.#log.error('mail: too many messages are waiting; a message was dropped')
      return
    }
    const sending = this.#sendWithRetries(mail).catch((err: unknown) => {
      this.#log.error({ err: withoutAddresses(err) }, 'mail: a message could not be sent')
    })
    this.#pending.add(sending)
    void sending.finally(() => this.#pending.delete(sending))
  }

  async idle(): Promise<void> {
    await Promise.all(this.#pending)
  }

  /** Sends what waits for another attempt a last time. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const end of this.#waiting) end()
    await this.idle()
    if (this.#transport !== undefined) (await this.#transport).close()
  }

  async #sendWithRetries(mail: LinkMail): Promise<void> {
    this.#transport ??= connect(this.#url)
    const transport = await this.#transport
    const { to, subject, text, link } = mail
    const delays = RETRY_DELAYS_MS.values()
    for (;;) {
      try {
        await transport.sendMail({ from: this.#from, to, subject, text: `${text}\n\n${link}\n` })
        return
      } catch (error) {
        const { value: delayMs } = delays.next()
        if (delayMs === undefined || isRejection(error) || this.#isClosing) throw error
        this.#log.warn(
          { err: withoutAddresses(error), retryMs: delayMs },
          'mail: a message is sent again later',
        )
        await this.#wait(delayMs)
      }
    }
  }

  /** Resolves after a time, or when the mailer is closed. */
  async #wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = this.#clock.after(ms, resolve)
    this.#waiting.add(resolve)
    await promise
    this.#waiting.delete(resolve)
    timer.cancel()
  }
}

/** Returns whether the server rejected the message for good. */
function isRejection(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: unknown }
  return typeof responseCode === 'number' && responseCode >= 500
}

/** Returns an error without the addresses that mail servers repeat in their responses. */
function withoutAddresses(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  const masked = new Error(error.message.replaceAll(/[^\s<>]+@[^\s<>]+/g, '[address]'))
  return Object.assign(masked, { code, stack: undefined })
}

/**
 * Connects to a mail server, with encryption and sign-in as configured, and sends nothing.
 * @throws Error without addresses if that fails
 */
export async function checkMailServer(url: string): Promise<void> {
  const transport = await connect(url)
  try {
    await transport.verify()
  } catch (error) {
    throw withoutAddresses(error)
  } finally {
    transport.close()
  }
}

async function connect(url: string) {
  // Loaded with the first message: most clouds send few.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Messages contain text only; nothing is read from files or other servers.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

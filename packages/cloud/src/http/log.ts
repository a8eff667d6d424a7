import {
  type DestinationStream,
  destination as fileDestination,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino'

/** Names under which secrets and personal content could slip into a log line, at the top or one level down. */
const REDACTED_NAMES = [
  'authorization',
  'cookie',
  'token',
  'coreToken',
  'apiKey',
  'password',
  'secret',
  'email',
  'userEmail',
  'text',
]

/**
 * The cloud's structured log: one JSON object a line. Secrets are redacted by name as a second net; the first is
 * that nobody logs whole requests, messages or rows.
 * @param destination where lines go; standard error if absent, for standard output belongs to people
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: REDACTED_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: serializeError },
  }
  return pino(options, destination ?? fileDestination(2))
}

/** What a log needs of an error. Other fields are left out: database drivers put rows, e-mails included, there. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  }
}

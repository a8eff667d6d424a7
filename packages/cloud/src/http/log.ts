import {
  type DestinationStream,
  destination as fileDestination,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino'

/** Names of fields that are redacted, at the top level and one level below. */
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
 * Creates the structured log: one JSON object per line. Redaction by name is a second safeguard; code must not log whole
 * requests, messages or rows.
 * @param destination default: standard error
 * @param fields returns what is added to each line
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  fields?: () => Record<string, unknown>,
): Logger {
  const options: LoggerOptions = {
    level,
    ...(fields && { mixin: fields }),
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: REDACTED_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: serializeError },
  }
  return pino(options, destination ?? fileDestination(2))
}

/** Serializes an error without additional fields, in which database drivers include rows with personal data. */
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

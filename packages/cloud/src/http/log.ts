import {
  type DestinationStream,
  destination as fileDestination,
  type Logger,
  type LoggerOptions,
  pino,
  stdTimeFunctions,
} from 'pino'

/** Size of the log lines that are kept until they can be written. */
const MAX_UNWRITTEN_BYTES = 1_000_000

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
  return pino(options, destination ?? standardError())
}

/** Standard error. Lines that cannot be written, as on a full disk or to a closed terminal, are written later or dropped. */
function standardError(): DestinationStream {
  const output = fileDestination({ dest: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES })
  output.on('error', () => {})
  // Without its `flushSync`, which pino calls after a fatal line: it blocks until the lines can be written.
  return { write: (line) => void output.write(line) }
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

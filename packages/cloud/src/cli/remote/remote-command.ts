import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { baseUrlOf } from '../../http/request-origin.ts'
import { type Command, CommandError, type CommandInput, textOption, UsageError } from '../command.ts'
import { RemoteClient } from './client.ts'

/** Options of every command that talks to a cloud over HTTP. */
export const REMOTE_OPTIONS = { url: { type: 'string' }, json: { type: 'boolean' } } as const

/** A command over HTTP, as a signed-in user. */
interface RemoteCommand extends Omit<Command, 'run'> {
  run(input: CommandInput, client: RemoteClient): Promise<number | undefined>
}

/** Adds the options `--url` and `--json`, and creates the client with the token of the user. */
export function remoteCommand(command: RemoteCommand): Command {
  return {
    ...command,
    args: `${command.args} [--url URL] [--json]`.trim(),
    details: [
      ...(command.details ?? []),
      '--url URL   address of the cloud; default: GLASSES_CLOUD_URL, then the cloud of the last login',
      '--json      machine-readable output',
      'Talks to the cloud over HTTP as the user of "login", or of the token in GLASSES_CLOUD_TOKEN.',
    ],
    options: { ...REMOTE_OPTIONS, ...command.options },
    async run(input) {
      return command.run(input, await openClient(input))
    },
  }
}

/** Returns the address that a command names: by `--url` or by `GLASSES_CLOUD_URL`. */
export function requestedUrl(input: CommandInput): string | undefined {
  const option = textOption(input, 'url')
  const text = option ?? input.remote().url
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const name = option === undefined ? 'GLASSES_CLOUD_URL' : '--url'
    throw new UsageError(`${name} must be a URL such as https://cloud.example.org (got "${text}")`)
  }
  return baseUrlOf(url)
}

/** Creates the client of the signed-in user. @throws CommandError if nobody is signed in */
export async function openClient(input: CommandInput): Promise<RemoteClient> {
  const { token, credentialsFile } = input.remote()
  const credentials = await readCredentials(credentialsFile)
  const url = requestedUrl(input) ?? credentials.current
  if (url === undefined)
    throw new CommandError('No cloud is known. Run "login --url URL", or set GLASSES_CLOUD_URL')
  const stored = token ?? credentials.clouds[url]?.token
  if (stored === undefined)
    throw new CommandError(
      `You are not signed in to ${url}. Run "login --url ${url}", or set GLASSES_CLOUD_TOKEN`,
    )
  return new RemoteClient(url, stored)
}

/** A token of a cloud. */
interface Credential {
  /** E-mail address of the user. */
  readonly email: string
  /** Personal access token. */
  readonly token: string
}

/** The tokens that `login` obtained. */
interface Credentials {
  /** The cloud that was signed in to last. */
  readonly current?: string
  /** By the address of the cloud. */
  readonly clouds: Readonly<Record<string, Credential>>
}

const NONE: Credentials = { clouds: {} }

/** Reads the credentials file; empty if there is none. @throws CommandError if it cannot be read */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
  if (text === undefined) return NONE
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'clouds' in value) return value as Credentials
  } catch {}
  throw new CommandError(`${file} is damaged; delete it and run login again`)
}

/** Replaces the credentials file, which only the user of the process can read. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

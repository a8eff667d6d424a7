import { type Command, CommandError, type CommandInput, textOption, UsageError } from '../command.ts'
import { RemoteClient } from './client.ts'
import { readCredentials } from './credentials.ts'

/** Options of every command that talks to a cloud over HTTP. */
export const REMOTE_OPTIONS = { url: { type: 'string' }, json: { type: 'boolean' } } as const

/** A command over HTTP, as a signed-in user. */
export interface RemoteCommand extends Omit<Command, 'run'> {
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
  return url.href.replace(/\/+$/, '')
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

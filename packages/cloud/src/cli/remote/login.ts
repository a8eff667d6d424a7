import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Command,
  CommandError,
  type CommandInput,
  print,
  readArguments,
  textOption,
} from '../command.ts'
import { RemoteClient, RequestError } from './client.ts'
import {
  REMOTE_OPTIONS,
  readCredentials,
  remoteCommand,
  requestedUrl,
  writeCredentials,
} from './remote-command.ts'

const DEFAULT_URL = 'http://localhost:8080'

const SCOPES = ['apps:read', 'apps:write', 'account']

/** Signs in to a cloud and stores a personal access token for the other commands. */
export const login: Command = {
  name: 'login',
  args: '[--url URL] [--email EMAIL] [--token TOKEN] [--json]',
  summary: 'Sign in to a cloud over HTTP, for the app, org and whoami commands',
  details: [
    `--url URL       address of the cloud; default: GLASSES_CLOUD_URL, then ${DEFAULT_URL}`,
    '--email EMAIL   sign in with a password, which is read from standard input; default: in your browser',
    '--token TOKEN   use this personal access token',
    '--json          machine-readable output',
    'A personal access token, valid for 90 days, is stored in ~/.config/glasses-cloud/credentials.json.',
  ],
  options: { ...REMOTE_OPTIONS, email: { type: 'string' }, token: { type: 'string' } },
  async run(input) {
    readArguments(input, [])
    const url = requestedUrl(input) ?? DEFAULT_URL
    const token = textOption(input, 'token') ?? (await createToken(input, new RemoteClient(url)))
    const client = new RemoteClient(url, token)
    const { email } = await client.data<{ email: string }>('GET', '/account')
    const { credentialsFile } = input.remote()
    const { clouds } = await readCredentials(credentialsFile)
    await writeCredentials(credentialsFile, { current: url, clouds: { ...clouds, [url]: { email, token } } })
    print(
      input,
      input.values.json === true ? JSON.stringify({ url, email }) : `Signed in to ${url} as ${email}`,
    )
  },
}

async function createToken(input: CommandInput, client: RemoteClient): Promise<string> {
  const email = textOption(input, 'email')
  const coreToken =
    email === undefined ? await byDevice(input, client) : await byPassword(input, client, email)
  const created = await new RemoteClient(client.url, coreToken).request<{ token: string }>(
    'POST',
    '/api/auth/tokens',
    { name: tokenName(), scopes: SCOPES },
  )
  return created.token
}

async function byPassword(input: CommandInput, client: RemoteClient, email: string): Promise<string> {
  const { io } = input
  if (io.stdout.isTTY) io.stderr.write('Password (visible): ')
  const lines = createInterface({ input: io.stdin })
  const { value: password } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  if (typeof password !== 'string' || password === '')
    throw new CommandError('The password is missing; write it to standard input')
  const { token: sessionToken } = await client.request<{ token: string | null }>(
    'POST',
    '/api/auth/sign-in/email',
    {
      email,
      password,
    },
  )
  if (sessionToken === null)
    throw new CommandError('The account has a second factor; run login without --email to sign in by browser')
  const { coreToken } = await client.request<{ coreToken: string }>('POST', '/api/auth/exchange-token', {
    sessionToken,
  })
  return coreToken
}

interface DeviceCode {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete?: string
  readonly expires_in: number
  readonly interval?: number
}

/** Signs in by a browser on any device (RFC 8628). */
async function byDevice(input: CommandInput, client: RemoteClient): Promise<string> {
  const code = await client
    .request<DeviceCode>('POST', '/api/auth/device', { client_name: tokenName() })
    .catch((error: unknown) => {
      if (error instanceof RequestError && error.status === 404)
        throw new CommandError(`${client.url} has no sign-in by browser; use --email or --token`)
      throw error
    })
  input.io.stderr.write(
    `Open ${code.verification_uri_complete ?? code.verification_uri} and confirm the code ${code.user_code}\n`,
  )
  let intervalMs = (code.interval ?? 5) * 1000
  const deadline = performance.now() + code.expires_in * 1000
  while (performance.now() < deadline) {
    await delay(intervalMs)
    try {
      const answer = await client.request<{ access_token: string }>('POST', '/api/auth/device/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: code.device_code,
      })
      return answer.access_token
    } catch (error) {
      const reason = error instanceof RequestError ? (error.body as { error?: string })?.error : undefined
      if (reason === 'slow_down') intervalMs += 5_000
      // Without a response of the cloud, which may be starting again, the next poll may have one.
      else if (reason !== undefined && reason !== 'authorization_pending') throw error
    }
  }
  throw new CommandError('The code has expired; run login again')
}

/** Name of the token and of the device, as the user sees them. */
function tokenName(): string {
  return `Command line on ${hostname()}`.slice(0, 100)
}

interface Account {
  readonly email: string
  readonly isAdministrator: boolean
  readonly organizations: readonly { readonly slug: string; readonly role: string }[]
}

export const whoami = remoteCommand({
  name: 'whoami',
  args: '',
  summary: 'Show the signed-in user and the cloud',
  options: {},
  async run(input, client) {
    readArguments(input, [])
    const account = await client.data<Account>('GET', '/account')
    const { email, isAdministrator, organizations } = account
    if (input.values.json === true) print(input, JSON.stringify({ url: client.url, ...account }))
    else {
      print(input, `${email}${isAdministrator ? ' (administrator)' : ''} on ${client.url}`)
      for (const { slug, role } of organizations) print(input, `  ${role} of ${slug}`)
    }
  },
})

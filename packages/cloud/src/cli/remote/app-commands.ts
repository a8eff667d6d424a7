import type { AppLogEntry, AppPing, DeveloperApp } from '@glasses-cloud/contract'
import {
  type Command,
  type CommandInput,
  formatTable,
  print,
  readArguments,
  readJsonFile,
  textOption,
  UsageError,
} from '../command.ts'
import type { RemoteClient } from './client.ts'
import { remoteCommand } from './remote-command.ts'

const isJson = (input: CommandInput) => input.values.json === true
const appPath = (packageName: string) => `/apps/${encodeURIComponent(packageName)}`

/** Prints an app as one line, or as JSON. */
function printApp(input: CommandInput, app: DeveloperApp): void {
  print(input, isJson(input) ? JSON.stringify(app) : `${app.packageName} is ${app.appStoreStatus}`)
}

const appCreate = remoteCommand({
  name: 'app create',
  args: 'MANIFEST.json [--org ORG]',
  summary: 'Create an app over HTTP; prints its package name and its API key, once',
  details: ['--org ORG   organization that owns the app; default: you'],
  options: { org: { type: 'string' } },
  async run(input, client) {
    const [file] = readArguments(input, ['MANIFEST.json'])
    const org = textOption(input, 'org')
    const query = org === undefined ? '' : `?orgId=${encodeURIComponent(org)}`
    const manifest = await readJsonFile(file)
    const { app, apiKey } = await client.data<{ app: DeveloperApp; apiKey: string }>(
      'POST',
      `/apps${query}`,
      manifest,
    )
    print(input, JSON.stringify({ packageName: app.packageName, apiKey, appStoreStatus: app.appStoreStatus }))
  },
})

const appUpdate = remoteCommand({
  name: 'app update',
  args: 'MANIFEST.json [PACKAGE]',
  summary: 'Change the fields of an app over HTTP that the manifest contains',
  details: ['PACKAGE   default: packageName in the manifest'],
  options: {},
  async run(input, client) {
    const [file = '', named, ...rest] = input.positionals
    if (file === '') throw new UsageError('MANIFEST.json is missing')
    if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}"`)
    const manifest = await readJsonFile(file)
    const { packageName } = (manifest ?? {}) as { packageName?: unknown }
    const target = named ?? packageName
    if (typeof target !== 'string') throw new UsageError(`${file} contains no packageName; name the package`)
    printApp(input, await client.data('PATCH', appPath(target), manifest))
  },
})

/** A command that changes an app by a request without a body. */
function changeCommand(verb: 'publish' | 'unpublish', summary: string): Command {
  return remoteCommand({
    name: `app ${verb}`,
    args: 'PACKAGE',
    summary,
    options: {},
    async run(input, client) {
      const [packageName] = readArguments(input, ['PACKAGE'])
      printApp(input, await client.data('POST', `${appPath(packageName)}/${verb}`))
    },
  })
}

interface Key {
  readonly id: string
  readonly createdAt: string
  readonly lastUsedAt?: string | null
  readonly lastUsedIpAddress?: string | null
  readonly apiKey?: string
}

function formatKeys(keys: readonly Key[]): string {
  const rows = keys.map(({ id, createdAt, lastUsedAt, lastUsedIpAddress }) => [
    id,
    createdAt,
    lastUsedAt ?? 'never',
    lastUsedIpAddress ?? '',
  ])
  return formatTable([['ID', 'CREATED', 'LAST USED', 'FROM'], ...rows])
}

const appKeys = remoteCommand({
  name: 'app keys',
  args: 'PACKAGE [--rotate] [--revoke ID]',
  summary: 'List, create or revoke the API keys of an app over HTTP',
  details: [
    '--rotate      create another key and print it, once; the newest previous key stays valid',
    '--revoke ID   revoke a key; sockets that were opened with it are closed',
  ],
  options: { rotate: { type: 'boolean' }, revoke: { type: 'string' } },
  async run(input, client) {
    const [packageName] = readArguments(input, ['PACKAGE'])
    const path = `${appPath(packageName)}/keys`
    const revoked = textOption(input, 'revoke')
    if (revoked !== undefined)
      await client.request('DELETE', `/api/console${path}/${encodeURIComponent(revoked)}`)
    if (input.values.rotate === true) {
      const { id, apiKey } = await client.data<Key>('POST', path)
      print(input, JSON.stringify({ packageName, id, apiKey }))
      return
    }
    const keys = await client.data<Key[]>('GET', path)
    if (isJson(input)) print(input, JSON.stringify(keys))
    else print(input, formatKeys(keys))
  },
})

const appLogs = remoteCommand({
  name: 'app logs',
  args: 'PACKAGE [--follow] [--limit NUMBER]',
  summary: 'Show what happened to an app in the last 24 hours, over HTTP',
  details: [
    '--follow         keep showing new entries',
    '--limit NUMBER   number of entries, 1 to 200; default: 50',
  ],
  options: { follow: { type: 'boolean' }, limit: { type: 'string' } },
  async run(input, client) {
    const [packageName] = readArguments(input, ['PACKAGE'])
    const limit = Number(textOption(input, 'limit') ?? 50)
    if (!Number.isInteger(limit) || limit < 1 || limit > 200)
      throw new UsageError('--limit must be an integer from 1 to 200')
    const path = `${appPath(packageName)}/logs`
    const entries = await client.data<AppLogEntry[]>('GET', `${path}?limit=${limit}`)
    for (const entry of entries.toReversed()) printEntry(input, entry)
    if (input.values.follow !== true) return
    for await (const data of client.events(`${path}/stream`)) printEntry(input, JSON.parse(data))
  },
})

const appPing = remoteCommand({
  name: 'app ping',
  args: 'PACKAGE',
  summary: 'Test the connection between the cloud and an app, over HTTP',
  details: [
    'Exits with 1 if a hop fails. If your glasses are connected, the app is started on them and stopped again.',
  ],
  options: {},
  async run(input, client) {
    const [packageName] = readArguments(input, ['PACKAGE'])
    const ping = await client.data<AppPing>('POST', `${appPath(packageName)}/ping`)
    if (isJson(input)) print(input, JSON.stringify(ping))
    else
      for (const { hop, status, durationMs, message, action } of ping.hops) {
        print(input, `${hop.padEnd(10)}${status.padEnd(8)}${`${durationMs} ms`.padStart(8)}  ${message}`)
        if (action !== undefined) print(input, `${' '.repeat(28)}→ ${action}`)
      }
    return ping.ok ? undefined : 1
  },
})

function printEntry(input: CommandInput, entry: AppLogEntry): void {
  if (isJson(input)) return print(input, JSON.stringify(entry))
  const { at, level, kind, event, session, id: _, message, ...details } = entry
  const facts = Object.entries(details).map(([name, value]) => `${name}=${value}`)
  const line = [at, level.padEnd(5), kind.padEnd(8), event, session, ...facts, message]
  // The message of an app must not control the terminal.
  print(
    input,
    line
      .filter((part) => part !== undefined)
      .join(' ')
      .replaceAll(/\p{Cc}/gu, ' '),
  )
}

export const appCommands: readonly Command[] = [
  appCreate,
  appUpdate,
  changeCommand('publish', 'Publish an app over HTTP, or submit it for review'),
  changeCommand('unpublish', 'Take an app out of the store over HTTP'),
  appKeys,
  appLogs,
  appPing,
]

/** Lists the apps of the signed-in user. */
export async function listRemoteApps(input: CommandInput, client: RemoteClient): Promise<void> {
  const apps = await client.data<DeveloperApp[]>('GET', '/apps')
  if (isJson(input)) {
    print(input, JSON.stringify(apps))
    return
  }
  const rows = apps.map((app) => [app.packageName, app.name, app.appType, app.appStoreStatus, app.publicUrl])
  print(input, formatTable([['PACKAGE', 'NAME', 'TYPE', 'STATUS', 'SERVER'], ...rows]))
}

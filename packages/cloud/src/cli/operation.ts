import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Finding } from '@glasses-cloud/contract'
import { connectRedis } from '../bus/index.ts'
import { type Config, ConfigError, loadAuthSecret } from '../config/index.ts'
import { failure, ok, runChecks } from '../doctor/index.ts'
import { SigningKeyStore, SigningKeys } from '../features/web-tokens/index.ts'
import { listNodes } from '../nodes/index.ts'
import {
  type Command,
  CommandError,
  type CommandInput,
  formatTable,
  print,
  readArguments,
} from './command.ts'
import { withDatabase } from './operator.ts'

export const doctor: Command = {
  name: 'doctor',
  args: '',
  summary: 'Check every configured part and report errors with instructions',
  details: ['Exits with code 1 if an error keeps the cloud from working.'],
  options: {},
  async run(input) {
    readArguments(input, [])
    const findings = await check(input)
    print(input, formatTable(findings.map(({ level, part, text }) => [level, part, text])))
    return findings.some(({ level }) => level === 'error') ? 1 : 0
  },
}

async function check(input: CommandInput): Promise<Finding[]> {
  let config: Config
  try {
    config = input.config()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => failure('settings', problem))
    throw error
  }
  return [ok('settings', 'valid'), ...(await runChecks(config, { isRunning: false }))]
}

export const nodes: Command = {
  name: 'nodes',
  args: '[--json]',
  summary: 'List the nodes of the cluster',
  options: { json: { type: 'boolean' } },
  async run(input) {
    readArguments(input, [])
    const config = input.config()
    const { redis: settings } = config.data
    if (!settings) throw new CommandError('REDIS_URL is not set, so this cloud is a single node')
    await withDatabase(config, async (db) => {
      const redis = await connectRedis(settings, { retryStrategy: () => null, enableOfflineQueue: true })
      try {
        const listed = await listNodes(redis, db, settings.isCluster)
        if (input.values.json === true) print(input, JSON.stringify(listed))
        else print(input, formatTable([HEADERS, ...listed.map(toRow)]))
      } finally {
        redis.disconnect()
      }
    })
  },
}

const HEADERS = ['NAME', 'VERSION', 'UPTIME', 'SESSIONS', 'STATE']

type ListedNode = Awaited<ReturnType<typeof listNodes>>[number]

function toRow({ name, version, uptimeMs, sessions, isDraining }: ListedNode): string[] {
  return [name, version, formatUptime(uptimeMs), String(sessions), isDraining ? 'draining' : 'serving']
}

/** Formats a duration with its two largest units, such as `2d 3h`. */
function formatUptime(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = Math.max(
    0,
    parts.findIndex(([count]) => count > 0),
  )
  const shown = parts[first] === undefined || seconds === 0 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown.map(([count, unit]) => `${count}${unit}`).join(' ')
}

/** Prints the key that verifies the signed tokens of web views, in the form that the app SDK reads. */
export const publicKey: Command = {
  name: 'public-key',
  args: '',
  summary: 'Print the public key of web view tokens as PEM, for MENTRAOS_CLOUD_USER_TOKEN_PUBLIC_KEY of apps',
  options: {},
  details: ['The app SDK also requires OAUTH_ISSUER=https://prod.augmentos.cloud; see docs/webviews.md.'],
  async run(input) {
    readArguments(input, [])
    const config = input.config()
    const secret = await loadAuthSecret(config.auth.secret, config.data.dir)
    await withDatabase(config, async (db) => {
      const { publicJwk } = await new SigningKeys(new SigningKeyStore(db), [secret], Date.now).current()
      const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' })
      print(input, key.export({ type: 'spki', format: 'pem' }).toString().trimEnd())
    })
  },
}

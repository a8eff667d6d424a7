import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { testAuthority, testCertificate } from './certificates.ts'
import { inheritedEnv } from './inherited-env.ts'
import { skipIfMissing } from './optional-part.ts'
import { CleanUpStack, type Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

/** Why tests with an ACME authority are skipped; false if the program `pebble` is installed. */
export const pebbleMissing = skipIfMissing(
  findProgram('pebble') === undefined ? 'pebble is not installed (apt-get install pebble)' : undefined,
)

/** The account that the authority knows, if it requires one; the key is base64url, as authorities hand it out. */
export const EXTERNAL_ACCOUNT = {
  TLS_ACME_EAB_KEY_ID: 'account-1',
  TLS_ACME_EAB_HMAC_KEY: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W',
}

/** A name that the authority refuses. */
export const BLOCKED_HOST = 'blocked.example.org'

/** An ACME authority, which resolves every name to this machine. */
export interface Pebble {
  /** Settings of a cloud that orders its certificate there. */
  readonly env: Readonly<Record<string, string>>
  /** Ports where the authority checks challenges. */
  readonly httpPort: number
  readonly tlsPort: number
  /** PEM file with the authority of the directory's own certificate, for `NODE_EXTRA_CA_CERTS`. */
  readonly directoryAuthority: string
  /** Returns the authority of the certificates that it issues, in PEM; another one after each start. */
  root(): Promise<string>
  /** Starts the program again after `stop`, as a new authority with the same address. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface PebbleOptions {
  /** The authority waits up to this time before each check. */
  readonly sleepSeconds?: number
  /** Whether it requires `EXTERNAL_ACCOUNT`; default: false. */
  readonly requiresAccount?: boolean
  /** Whether to start it at once; default: true. */
  readonly isStarted?: boolean
}

/** Starts an ACME authority that rejects a tenth of the nonces, as the protocol allows; the scope kills it. */
export async function startPebble(
  scope: Scope,
  { sleepSeconds, requiresAccount = false, isStarted = true }: PebbleOptions = {},
): Promise<Pebble> {
  const cleanUp = new CleanUpStack(scope)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-pebble-'))
  cleanUp.after(() => rm(folder, { recursive: true, force: true }))
  const [port, management, httpPort, tlsPort, dns, dnsManagement] = await Promise.all(
    Array.from({ length: 6 }, findFreePort),
  )
  const { certificate, key } = await testCertificate()
  const directoryAuthority = join(folder, 'authority.pem')
  await writeFile(directoryAuthority, (await testAuthority()).certificate)
  await writeFile(join(folder, 'cert.pem'), certificate)
  await writeFile(join(folder, 'key.pem'), key)
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort,
    tlsPort,
    certificateValidityPeriod: 90 * 24 * 3_600,
    domainBlocklist: [BLOCKED_HOST],
    externalAccountBindingRequired: requiresAccount,
    externalAccountMACKeys: {
      [EXTERNAL_ACCOUNT.TLS_ACME_EAB_KEY_ID]: EXTERNAL_ACCOUNT.TLS_ACME_EAB_HMAC_KEY,
    },
  }
  const config = join(folder, 'pebble.json')
  await writeFile(config, JSON.stringify({ pebble }))
  const run = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, { env: { ...inheritedEnv(), ...env }, stdio: 'ignore' })
    const end = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    cleanUp.after(end)
    return end
  }
  run('pebble-challtestsrv', [
    ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${dnsManagement}`, '-defaultIPv6', ''],
    ...['-http01', '', '-https01', '', '-tlsalpn01', ''],
  ])
  const directory = `https://localhost:${port}/dir`
  let end = async () => {}
  const start = async () => {
    end = run('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${dns}`], {
      PEBBLE_WFE_NONCEREJECT: '10',
      PEBBLE_AUTHZREUSE: '0',
      ...(sleepSeconds === undefined
        ? { PEBBLE_VA_NOSLEEP: '1' }
        : { PEBBLE_VA_SLEEPTIME: String(sleepSeconds) }),
    })
    await waitFor('the start of pebble', async () => (await fetch(directory)).ok)
  }
  if (isStarted) await start()
  return {
    env: {
      TLS: 'auto',
      TLS_HOSTS: 'cloud.example.org',
      TLS_ACME_DIRECTORY: directory,
      TLS_ACME_TERMS_AGREED: 'true',
      TLS_ACME_EMAIL: 'operator@example.org',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
    },
    httpPort: httpPort as number,
    tlsPort: tlsPort as number,
    directoryAuthority,
    root: async () => (await fetch(`https://localhost:${management}/roots/0`)).text(),
    start,
    stop: () => end(),
  }
}

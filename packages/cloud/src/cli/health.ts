import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/index.ts'
import { urlOf } from '../http/listening.ts'
import {
  type Command,
  CommandError,
  type CommandInput,
  print,
  readArguments,
  textOption,
  UsageError,
} from './command.ts'

/** Time for the cloud to respond; the health check of the image allows a little more. */
const TIMEOUT_MS = 4_000

/** Interval between requests while the command waits. */
const INTERVAL_MS = 200

/** For the health check of an image, and for scripts that start a cloud. */
export const health: Command = {
  name: 'health',
  args: '[--wait SECONDS]',
  summary: 'Exit with 0 if the cloud on this machine is ready, otherwise with 1 and the reason',
  details: [
    '--wait SECONDS           wait until it is ready, at most this long',
    'It uses HOST, PORT and TLS, and does not check the certificate, which "doctor" does.',
  ],
  options: { wait: { type: 'string' } },
  async run(input) {
    readArguments(input, [])
    const url = ownAddress(input.config())
    const deadline = performance.now() + readWait(input)
    let problem = await findProblem(url)
    while (problem !== undefined && performance.now() < deadline) {
      await delay(INTERVAL_MS)
      problem = await findProblem(url)
    }
    if (problem !== undefined) throw new CommandError(problem)
    print(input, `The cloud at ${url} is ready`)
  },
}

function readWait(input: CommandInput): number {
  const wait = textOption(input, 'wait') ?? '0'
  if (!/^\d{1,6}$/.test(wait)) throw new UsageError('--wait must be a number of seconds')
  return Number(wait) * 1_000
}

/** Returns the address of the port itself, which needs no name and no proxy. */
function ownAddress({ http: { host, port }, tls }: Config): string {
  if (port === 0) throw new CommandError('PORT is 0, so the port of the cloud is not known')
  return urlOf(host, port, tls.mode === 'off' ? 'http' : 'https')
}

/** Returns why the cloud at an address is not ready, as a sentence; undefined if it is. */
async function findProblem(url: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const get = url.startsWith('https:') ? getHttps : getHttp
    // The certificate is for the names that clients use, and before the first one there is a temporary one.
    const request = get(`${url}/readyz`, { signal, rejectUnauthorized: false, agent: false })
    const [response]: IncomingMessage[] = await once(request, 'response')
    const body = response && (await text(response))
    if (response?.statusCode === 200) return undefined
    return `The cloud at ${url} is not ready: ${reasonsIn(body ?? '') ?? `it responds with status ${response?.statusCode}`}`
  } catch (error) {
    if (signal.aborted) return `The cloud at ${url} did not respond in ${TIMEOUT_MS / 1_000} s`
    const { code, message } = error as NodeJS.ErrnoException
    return `No cloud responds at ${url} (${code ?? message}): start it, or check HOST, PORT and TLS`
  }
}

/** The reasons in the response of `/readyz`; undefined if it has none, and is probably not of a cloud. */
function reasonsIn(body: string): string | undefined {
  try {
    const { reasons } = JSON.parse(body)
    return Array.isArray(reasons) ? reasons.join('; ') : undefined
  } catch {
    return undefined
  }
}

import type { AcmeChallenge, AcmeConfig } from '../../config/index.ts'
import type { KeyPair } from '../key-pair.ts'
import { loadAcmeClient } from '../libraries.ts'
import type { ChallengeAnswer } from './order-store.ts'

/** Time for one request to the authority. */
const REQUEST_TIMEOUT_MS = 30_000

/** How often and in what intervals the state of an order is requested. */
const POLLING = { backoffAttempts: 15, backoffMin: 1_000, backoffMax: 10_000 }

/** A certificate could not be ordered; its message is a sentence for the operator. */
export class OrderFailedError extends Error {
  /** How long the authority asked to wait, in ms. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0, cause?: unknown) {
    super(message, { cause })
    this.name = 'OrderFailedError'
    this.retryAfterMs = retryAfterMs
  }
}

export interface OrderDeps {
  readonly acme: AcmeConfig
  readonly hosts: readonly string[]
  readonly challenge: AcmeChallenge
  /** Returns the key of the account. @param create generates one, in PEM */
  accountKey(create: () => Promise<string>): Promise<string>
  addChallenge(answer: ChallengeAnswer): Promise<void>
  /** Aborts when another process may have taken over, and at shutdown. */
  readonly signal: AbortSignal
}

/**
 * Orders a certificate with a new key from the authority, which checks each host.
 * @throws OrderFailedError if the authority refuses or cannot be reached; the reason of the signal if that aborts
 */
export async function orderCertificate(deps: OrderDeps): Promise<KeyPair> {
  const { acme: settings, hosts, signal } = deps
  await requireReachable(settings.directory, signal)
  const acme = await loadAcmeClient()
  let retryAfterMs = 0
  acme.axios.defaults.timeout = REQUEST_TIMEOUT_MS
  // Retries are those of whole orders, which other nodes know about.
  Object.assign(acme.axios.defaults, { acmeSettings: { retryMaxAttempts: 0, retryDefaultDelay: 5 } })
  const watch = acme.axios.interceptors.response.use((response) => {
    const seconds = Number(response.headers['retry-after'])
    if (response.status >= 400 && seconds > 0) retryAfterMs = Math.max(retryAfterMs, seconds * 1000)
    return response
  })
  let step =
    'the account was refused (an authority that binds accounts needs TLS_ACME_EAB_KEY_ID and TLS_ACME_EAB_HMAC_KEY)'
  try {
    const accountKey = await deps.accountKey(async () =>
      (await acme.crypto.createPrivateEcdsaKey('P-256')).toString(),
    )
    const { keyId, hmacKey } = settings.externalAccount ?? {}
    const client = new acme.Client({
      directoryUrl: settings.directory.href,
      accountKey,
      ...POLLING,
      ...(keyId !== undefined &&
        hmacKey !== undefined && { externalAccountBinding: { kid: keyId, hmacKey } }),
    })
    await client.createAccount({
      termsOfServiceAgreed: true,
      // For an account that exists this is an update, and authorities reject one without a field.
      contact: settings.email === undefined ? [] : [`mailto:${settings.email}`],
    })
    signal.throwIfAborted()
    step = 'the order was refused'
    const order = await client.createOrder({
      identifiers: hosts.map((value) => ({ type: 'dns', value })),
    })
    for (const authorization of await client.getAuthorizations(order)) {
      if (authorization.status === 'valid') continue
      const host = authorization.identifier.value
      const challenge = authorization.challenges.find(({ type }) => type === deps.challenge)
      if (challenge === undefined)
        throw new OrderFailedError(`the authority does not check ${host} with ${deps.challenge}`)
      step = `the check of ${host} with ${deps.challenge} failed${HINTS[deps.challenge]}`
      const keyAuthorization = await client.getChallengeKeyAuthorization(challenge)
      await deps.addChallenge({ token: challenge.token, host, type: deps.challenge, keyAuthorization })
      signal.throwIfAborted()
      await client.completeChallenge(challenge)
      await client.waitForValidStatus(challenge)
    }
    signal.throwIfAborted()
    step = 'the certificate was refused'
    const key = await acme.crypto.createPrivateEcdsaKey('P-256')
    const [, csr] = await acme.crypto.createCsr({ altNames: [...hosts] }, key)
    const finalized = await client.finalizeOrder(order, csr)
    return { certificate: await client.getCertificate(finalized), key: key.toString() }
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof OrderFailedError) throw cause
    const reason = cause instanceof TypeError ? 'the connection to the authority failed' : messageOf(cause)
    throw new OrderFailedError(`${step}: ${reason}`, retryAfterMs, cause)
  } finally {
    acme.axios.interceptors.response.eject(watch)
  }
}

const HINTS: Readonly<Record<AcmeChallenge, string>> = {
  'http-01': ' (port 80 of this name must lead to TLS_REDIRECT_PORT of this cloud)',
  'tls-alpn-01': ' (port 443 of this name must lead to PORT of this cloud, without a proxy that ends TLS)',
}

/** The client hides why it cannot connect. */
async function requireReachable(directory: URL, signal: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    const response = await fetch(directory, { signal: AbortSignal.any([signal, timeout]) })
    await response.body?.cancel()
    if (response.ok) return
    throw new OrderFailedError(
      `the authority at ${directory.host} responds with status ${response.status}; check TLS_ACME_DIRECTORY`,
    )
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof OrderFailedError) throw cause
    const { code } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
    throw new OrderFailedError(
      `the authority at ${directory.host} cannot be reached (${code ?? messageOf(cause)}); check TLS_ACME_DIRECTORY and the network`,
      0,
      cause,
    )
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

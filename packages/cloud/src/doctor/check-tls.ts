import type { Finding } from '@glasses-cloud/contract'
import { type Config, loadAuthSecret, plainHttpProblem, type TlsConfig } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import {
  AuthorityStore,
  authorityFingerprint,
  certificateProblems,
  describeCertificate,
  endsSoon,
  InvalidKeyPairError,
  openOrderStore,
  readKeyPair,
  trustRoots,
} from '../tls/index.ts'
import { failure, note, ok } from './finding.ts'

const PART = 'https'

/** Checks that clients accept the certificate, and that passwords are not sent in the clear. */
export async function checkTls(config: Config): Promise<Finding[]> {
  const { tls, http } = config
  switch (tls.mode) {
    case 'off': {
      const problem = plainHttpProblem(config)
      return problem === undefined ? [] : [note(PART, problem)]
    }
    case 'files':
      return checkFiles(tls, http.publicUrl?.hostname ?? tls.hosts[0])
    case 'auto':
      return checkOrder(config, tls)
    case 'local':
      return checkAuthority(config)
  }
}

async function checkFiles(
  files: Extract<TlsConfig, { mode: 'files' }>,
  host: string | undefined,
): Promise<Finding[]> {
  try {
    const { certificate } = await readKeyPair(files)
    const findings = checkCertificate(certificate, host, '')
    const isEnding = endsSoon(describeCertificate(certificate), Date.now())
    return findings.map((finding) =>
      finding.level === 'ok' && isEnding
        ? note(PART, `${finding.text}; no other program has renewed it yet`)
        : finding,
    )
  } catch (error) {
    if (error instanceof InvalidKeyPairError) return [failure(PART, error.message)]
    throw error
  }
}

/** Checks the certificate that the nodes order, as the database describes it. */
async function checkOrder(
  { auth, data }: Config,
  { acme, hosts }: Extract<TlsConfig, { mode: 'auto' }>,
): Promise<Finding[]> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir }).catch(() => undefined)
  // The database has a finding of its own.
  if (db === undefined) return []
  try {
    const secret = await loadAuthSecret(auth.secret, data.dir)
    const order = await openOrderStore({ acme, hosts, db, secrets: [secret] }).find()
    if (order === undefined) return [note(PART, 'there is no certificate yet; the first start orders it')]
    const { failure: reason, nextAttemptAt, pair } = order
    const next = new Date(nextAttemptAt).toISOString()
    if (pair === undefined)
      return [
        reason === undefined
          ? note(PART, 'there is no certificate yet; it is being ordered')
          : failure(PART, `there is no certificate yet: ${reason}; the next attempt is at ${next}`),
      ]
    return [
      ...checkCertificate(pair.certificate, hosts[0], reason === undefined ? `, renewed from ${next}` : ''),
      ...(reason === undefined
        ? []
        : [failure(PART, `the certificate was not renewed: ${reason}; the next attempt is at ${next}`)]),
    ]
  } finally {
    await db.destroy()
  }
}

/** Shows the fingerprint that people compare before they trust the authority, and makes this process trust it. */
async function checkAuthority({ auth, data }: Config): Promise<Finding[]> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir }).catch(() => undefined)
  if (db === undefined) return []
  try {
    const authority = await new AuthorityStore(db, [await loadAuthSecret(auth.secret, data.dir)]).find()
    if (authority === undefined) return [note(PART, 'there is no authority yet; the first start makes it')]
    const { certificate } = authority
    trustRoots([certificate])
    const findings = checkCertificate(certificate, undefined, '')
    return findings.map(({ level, text }) =>
      level === 'ok'
        ? ok(PART, `authority of this cloud, SHA-256 ${authorityFingerprint(certificate)}`)
        : failure(PART, text),
    )
  } finally {
    await db.destroy()
  }
}

function checkCertificate(pem: string, host: string | undefined, renewal: string): Finding[] {
  const problems = certificateProblems(pem, host, Date.now())
  if (problems.length > 0) return problems.map((problem) => failure(PART, problem))
  const { names, issuer, notAfter } = describeCertificate(pem)
  const end = new Date(notAfter).toISOString()
  return [ok(PART, `certificate for ${names.join(', ')} by ${issuer}, until ${end}${renewal}`)]
}

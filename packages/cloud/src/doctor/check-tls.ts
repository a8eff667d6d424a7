import type { Finding } from '@glasses-cloud/contract'
import { type Config, plainHttpProblem, type TlsConfig } from '../config/index.ts'
import {
  certificateProblems,
  describeCertificate,
  endsSoon,
  InvalidKeyPairError,
  readKeyPair,
} from '../tls/index.ts'
import { failure, note, ok } from './finding.ts'

const PART = 'https'

/** Checks that clients accept the certificate, and that passwords are not sent in the clear. */
export async function checkTls(config: Config): Promise<Finding[]> {
  switch (config.tls.mode) {
    case 'off': {
      const problem = plainHttpProblem(config)
      return problem === undefined ? [] : [note(PART, problem)]
    }
    case 'files':
      return checkFiles(config.tls, config.http.publicUrl?.hostname ?? config.tls.hosts[0])
    default:
      return []
  }
}

async function checkFiles(
  files: Extract<TlsConfig, { mode: 'files' }>,
  host: string | undefined,
): Promise<Finding[]> {
  try {
    const { certificate } = await readKeyPair(files)
    const problems = certificateProblems(certificate, host, Date.now())
    if (problems.length > 0) return problems.map((problem) => failure(PART, problem))
    const facts = describeCertificate(certificate)
    const { names, issuer, notAfter } = facts
    const text = `certificate for ${names.join(', ')} by ${issuer}, until ${new Date(notAfter).toISOString()}`
    return [endsSoon(facts, Date.now()) ? note(PART, `${text}; nothing has renewed it yet`) : ok(PART, text)]
  } catch (error) {
    if (error instanceof InvalidKeyPairError) return [failure(PART, error.message)]
    throw error
  }
}

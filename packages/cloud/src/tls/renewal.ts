import { type CertificateFacts, describeCertificate, isFor } from './key-pair.ts'

/** When a certificate is valid, in epoch ms. */
type Dates = Pick<CertificateFacts, 'notBefore' | 'notAfter'>

const DAY_MS = 24 * 60 * 60_000

/** Time before the end of a certificate at which it is renewed, unless a third of its lifetime is less. */
const RENEWAL_MS = 30 * DAY_MS

/** Returns when a certificate is to be renewed, in epoch ms. */
export function renewalTime({ notBefore, notAfter }: Dates): number {
  return notAfter - Math.min(RENEWAL_MS, Math.floor((notAfter - notBefore) / 3))
}

/** Time before the end of a certificate in files from which operators are warned. */
const WARNING_MS = 14 * DAY_MS

/**
 * Returns what is wrong with the dates of a certificate, as a sentence.
 * @param now epoch ms
 * @returns undefined if it is valid
 */
export function dateProblem({ notBefore, notAfter }: Dates, now: number): string | undefined {
  const clock = `the clock of this machine shows ${secondsOf(now)}`
  if (now >= notAfter)
    return `the certificate expired at ${secondsOf(notAfter)}, so clients refuse it; renew it (${clock})`
  if (now < notBefore)
    return `the certificate is valid from ${secondsOf(notBefore)} only, so clients refuse it; ${clock}, which may be wrong`
  return undefined
}

/** Returns whether a certificate that others renew ends soon. @param now epoch ms */
export function endsSoon({ notBefore, notAfter }: Dates, now: number): boolean {
  return now > notAfter - Math.min(WARNING_MS, (notAfter - notBefore) / 4)
}

function secondsOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/**
 * Returns why clients will refuse a certificate, as sentences.
 * @param pem the certificate
 * @param host the host that clients use; undefined: it is not known
 * @param now epoch ms
 */
export function certificateProblems(pem: string, host: string | undefined, now: number): string[] {
  const facts = describeCertificate(pem)
  const wrongDate = dateProblem(facts, now)
  return [
    ...(wrongDate === undefined ? [] : [wrongDate]),
    ...(host === undefined || isFor(pem, host)
      ? []
      : [
          `the certificate is for ${facts.names.join(', ') || 'no host'}, not for ${host}; use one for ${host}, or correct PUBLIC_URL`,
        ]),
  ]
}

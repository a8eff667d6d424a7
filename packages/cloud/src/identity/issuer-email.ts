import type { EmailClaims } from '../config/index.ts'
import { normalizeEmail } from './email.ts'

/** Why the address of a person at an issuer is not accepted. */
export interface EmailProblem {
  readonly code: 'OIDC_EMAIL_MISSING' | 'OIDC_EMAIL_NOT_VERIFIED'
  /** For the operator, without anything personal. */
  readonly reason: Error
}

/** The address of a person at an issuer, not normalized, if it is accepted. */
export type IssuerEmail =
  | { readonly email: string; readonly emailProblem?: undefined }
  | { readonly email?: undefined; readonly emailProblem: EmailProblem }

/**
 * Reads the address in claims of an issuer: one that the issuer has verified, or for which the operator vouches.
 * @param claims of an ID token or of userinfo
 */
export function readIssuerEmail(
  claims: Readonly<Record<string, unknown>>,
  { emailClaim = 'email', emailVerifiedClaim = 'email_verified', trustEmail = false }: EmailClaims,
): IssuerEmail {
  // Some issuers send a list.
  const [email] = [claims[emailClaim]].flat()
  if (typeof email !== 'string' || normalizeEmail(email) === undefined) {
    const found = email === undefined ? `no claim ${emailClaim}` : `no e-mail address in ${emailClaim}`
    const reason = `The issuer sent ${found}; let it send the address, or name the claim that has it as emailClaim (OIDC_EMAIL_CLAIM)`
    return { emailProblem: { code: 'OIDC_EMAIL_MISSING', reason: new Error(reason) } }
  }
  const verified = claims[emailVerifiedClaim]
  if (trustEmail || ['true', '1'].includes(String(verified).toLowerCase())) return { email }
  const found = `${verified === undefined ? 'no claim' : 'no true'} ${emailVerifiedClaim}`
  const reason = `The issuer sent ${found}; if its users cannot choose their addresses, set trustEmail (OIDC_TRUST_EMAIL), and if another claim says that they are verified, name it as emailVerifiedClaim (OIDC_EMAIL_VERIFIED_CLAIM)`
  return { emailProblem: { code: 'OIDC_EMAIL_NOT_VERIFIED', reason: new Error(reason) } }
}

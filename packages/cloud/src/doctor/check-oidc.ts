import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { loadIssuerMetadata } from '../identity/index.ts'
import { failure, note, ok, reasonOf } from './finding.ts'

const PART = 'oidc'

/** Checks that the OpenID Connect issuers respond, and whether they say that addresses are verified. */
export async function checkOidc({ auth: { issuers, openId } }: Config): Promise<Finding[]> {
  const settings = [
    ...issuers.map((issuer) => ({ ...issuer, setting: 'OIDC_ISSUERS', trust: 'trustEmail' })),
    ...(openId === undefined ? [] : [{ ...openId, setting: 'OIDC_ISSUER', trust: 'OIDC_TRUST_EMAIL' }]),
  ]
  return Promise.all(
    settings.map(async ({ issuer, setting, trust, trustEmail, emailVerifiedClaim = 'email_verified' }) => {
      try {
        const { claims_supported: claims } = await loadIssuerMetadata(issuer)
        const isSilent = Array.isArray(claims) && !claims.includes(emailVerifiedClaim) && trustEmail !== true
        const text = `${issuer} does not announce the claim ${emailVerifiedClaim}, without which people cannot sign in for the first time; if they cannot choose their addresses there, set ${trust}`
        return isSilent ? note(PART, text) : ok(PART, `${issuer} responds`)
      } catch (error) {
        return failure(PART, `${issuer} cannot be used (${reasonOf(error)}); correct ${setting}`)
      }
    }),
  )
}

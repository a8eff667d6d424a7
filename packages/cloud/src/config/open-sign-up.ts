import type { Config } from './config.ts'
import { isPrivateHost } from './private-host.ts'

/** Returns what to do if anybody on the internet can sign up with any address, confirmed or not. */
export function openSignUpProblem({ auth, http }: Pick<Config, 'auth' | 'http'>): string | undefined {
  const isPublic = !isPrivateHost(http.publicUrl?.hostname ?? http.host)
  if (!isPublic || auth.signUp !== 'open' || auth.verifyEmail) return undefined
  return 'SIGN_UP=open admits anybody, with an address that nobody confirmed; set SMTP_URL, or SIGN_UP=invite'
}

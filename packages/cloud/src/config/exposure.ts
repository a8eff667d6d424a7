import type { Config } from './config.ts'
import { isLoopbackHost, isPrivateHost } from './private-host.ts'

/** Returns what to do if the cloud listens beyond this machine, and nothing says that clients are encrypted. */
export function plainHttpProblem({ http, tls }: Pick<Config, 'http' | 'tls'>): string | undefined {
  if (tls.mode !== 'off' || isLoopbackHost(http.host) || http.publicUrl?.protocol === 'https:')
    return undefined
  return `HOST=${http.host} serves plain HTTP beyond this machine, so others on the network can read passwords and microphones; set TLS (docs/https.md), or PUBLIC_URL=https://… behind a proxy`
}

/** Returns what to do if anybody on the internet can sign up with any address, confirmed or not. */
export function openSignUpProblem({ auth, http }: Pick<Config, 'auth' | 'http'>): string | undefined {
  const isPublic = !isPrivateHost(http.publicUrl?.hostname ?? http.host)
  if (!isPublic || auth.signUp !== 'open' || auth.verifyEmail) return undefined
  return 'SIGN_UP=open admits anybody, with an address that nobody confirmed; set SMTP_URL, or SIGN_UP=invite'
}

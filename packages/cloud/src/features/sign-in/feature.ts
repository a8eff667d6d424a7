import type { Config } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import { createIdentityProviders } from '../../identity/index.ts'
import type { SignInEndpointDeps } from './deps.ts'
import { exchangeToken } from './exchange-token.ts'
import { issueAppToken } from './issue-app-token.ts'
import { issueGlassesToken } from './issue-glasses-token.ts'
import { logOut, logOutOfEverything } from './log-out.ts'
import { listLogins, removeLogin } from './logins.ts'
import { personalTokenEndpoints } from './personal-tokens/index.ts'
import { refreshToken } from './refresh-token.ts'

/** Collaborators of the sign-in. */
export type SignInDeps = Omit<SignInEndpointDeps, 'signIn' | 'origins'> & {
  readonly config: Pick<Config, 'auth' | 'http'>
  readonly publicUrl: () => URL
}

/** Sign-in and tokens, under `/api/auth`. */
export function createSignIn({ config, ...deps }: SignInDeps): Feature {
  const endpointDeps = {
    ...deps,
    signIn: createIdentityProviders(config.auth),
    origins: { publicUrl: deps.publicUrl, trustedOrigins: config.http.corsOrigins },
  }
  return {
    name: 'sign-in',
    endpoints: [
      exchangeToken(endpointDeps),
      issueGlassesToken(endpointDeps),
      issueAppToken(endpointDeps),
      refreshToken(endpointDeps),
      logOut(endpointDeps),
      logOutOfEverything(endpointDeps),
      listLogins(endpointDeps),
      removeLogin(endpointDeps),
      ...personalTokenEndpoints(endpointDeps),
    ],
  }
}
